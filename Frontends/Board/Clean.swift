/// Text from outside made harmless for a terminal and a log: nothing in it can move the cursor, colour, reorder or hide.
///
/// C0 controls become `^X`, DEL `^?`; C1, bidirectional, format, private, unassigned and other invisible characters and
/// line separators become `\u{…}`; joiners, variation selectors and skin tones, about whose width terminals disagree, are
/// dropped. Of marks that pile up on one character four are kept: more would paint over the lines around.
public func clean(_ text: String) -> String {
    if text.isPlain { return text }
    var cleaned = ""
    var marks = 0
    for scalar in text.unicodeScalars {
        marks = scalar.isMark ? marks + 1 : 0
        if marks <= mostMarks { append(scalar, to: &cleaned) }
    }
    return cleaned
}

private let mostMarks = 4

/// The same for bytes that may not be UTF-8: what is not becomes U+FFFD.
public func clean(bytes: some Collection<UInt8>) -> String {
    clean(String(decoding: bytes, as: UTF8.self))
}

private func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar.value {
    case 0x20...0x7E: text.unicodeScalars.append(scalar)
    case 0..<0x20:
        text += "^"
        text.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 0x40))
    case 0x7F: text += "^?"
    case 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0100...0xE01EF: break
    default:
        if scalar.isHarmless {
            text.unicodeScalars.append(scalar)
        } else {
            text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        guard value >= 0x300 else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .privateUse, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}
