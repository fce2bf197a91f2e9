/// Names for files from names that others chose.
enum FileName {
    /// The longest name in bytes: room for `.part.state.new` within the usual 255.
    static let longest = 240

    /// The file name that the last segment of a URL's path suggests; `index.html` when it is empty.
    static func suggested(by segment: Substring) -> String {
        let decoded = PercentEncoding.decode(segment)
        return decoded.isEmpty ? "index.html" : safe(decoded)
    }

    /// One path segment without traversal, control or invisible characters, leading dots, or more than 240 bytes.
    static func safe(_ name: String) -> String {
        if isPlain(name) { return name }
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { scalars.append(isHarmless(scalar) ? scalar : "_") }
        var safe = String(scalars)
        if safe.hasPrefix(".") { safe = "_" + safe.dropFirst() }
        if isReserved(safe) { safe = "_" + safe }
        return shortened(safe)
    }

    /// Whether it is made of unreserved ASCII characters (RFC 3986), and is the usual case: nothing has to be looked at.
    private static func isPlain(_ name: String) -> Bool {
        guard name.utf8.count <= longest, name.utf8.first != 0x2E, !isReserved(name) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
            default: false
            }
        }
    }

    /// Whether it is the name of a device on some system, with any ending: files travel.
    private static func isReserved(_ name: String) -> Bool {
        guard let first = name.utf8.first, [0x61, 0x63, 0x6C, 0x6E, 0x70].contains(first | 0x20) else { return false }
        let length = name.utf8.firstIndex(of: 0x2E).map { name.utf8.distance(from: name.startIndex, to: $0) }
        guard (3...4).contains(length ?? name.utf8.count) else { return false }
        let stem = name.prefix { $0 != "." }.lowercased()
        if ["con", "prn", "aux", "nul"].contains(stem) { return true }
        guard stem.count == 4, let last = stem.last, "123456789".contains(last) else { return false }
        return stem.hasPrefix("com") || stem.hasPrefix("lpt")
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" { return false }
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    /// At most 240 bytes, keeping an ending of up to 20 bytes.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let ending = name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= 20 ? $0 : nil } ?? ""
        var stem = name.dropLast(ending.count)
        while stem.utf8.count + ending.utf8.count > longest { stem.removeLast() }
        return String(stem + ending)
    }

    /// `name (2).ext`, `name (3).ext`, …: the nth name for a path that is taken, from 2.
    static func numbered(_ path: String, _ number: Int) -> String {
        let name = path[path.nameStart...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path) (\(number))" }
        return "\(path[..<dot]) (\(number))\(path[dot...])"
    }
}
