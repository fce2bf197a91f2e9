/// Takes the armour of OpenPGP off the lines of a signed text (RFC 9580, section 7).
///
/// The signature is not checked: that is for the program that has the keys.
struct SignedText {
    /// The first line of one.
    static let beginning = "-----BEGIN PGP SIGNED MESSAGE-----"
    private static let signature = "-----BEGIN PGP SIGNATURE-----"
    private static let end = "-----END PGP SIGNATURE-----"

    private enum Part { case none, heading, text, signature }
    private var part = Part.none

    /// Whether there is a signature.
    var isSigned: Bool { part != .none }

    /// The line as it was before it was signed; nil for one of the armour.
    mutating func take(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let bare = line.last == 0x0D ? line.dropLast() : line
        switch part {
        case .none:
            guard bare.elementsEqual(Self.beginning.utf8) else { return line }
            part = .heading
        case .heading: if bare.isEmpty { part = .text }
        case .text:
            if !bare.elementsEqual(Self.signature.utf8) {
                return line.starts(with: "- ".utf8) ? line.dropFirst(2) : line
            }
            part = .signature
        case .signature: if bare.elementsEqual(Self.end.utf8) { part = .text }
        }
        return nil
    }
}
