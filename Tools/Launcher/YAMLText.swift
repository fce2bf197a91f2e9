/// Values as YAML.
enum YAMLText {
    /// A value as a file would have it.
    static func value(_ value: OptionValue) -> String {
        switch value {
        case .flag, .integer, .number: return value.description
        case .text(let text): return scalar(text)
        case .secret(let source):
            let (word, text) =
                switch source.place {
                case .file(let path): ("file", path)
                case .command(let line): ("command", line)
                }
            let prefix = source.prefix.isEmpty ? "" : "prefix: \(scalar(source.prefix)), "
            return "{\(prefix)\(word): \(scalar(text))}"
        }
    }

    /// A text, in double quotes where a plain one could be taken for something else.
    static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy(isPlainByte) && !["null", "Null", "NULL", ""].contains(text)
            && !text.hasPrefix("-") && !text.hasPrefix(".")
        return isPlain ? text : quoted(text)
    }

    private static func isPlainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var line = "\""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where scalar == "\"" || scalar == "\\": line += "\\\(scalar)"
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                let digits = String(scalar.value, radix: 16)
                let width = scalar.value < 0x1_0000 ? 4 : 8
                line += (width == 4 ? "\\u" : "\\U") + String(repeating: "0", count: width - digits.count) + digits
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line + "\""
    }
}
