#if Curl
import WhirlCore

/// Header fields in libcurl's form.
final class CurlFieldList {
    let fields: [HTTPField]
    let lines: CurlLines
    /// A field would end its line early, and so put another on the wire than the caller meant.
    let isForged: Bool

    init(_ fields: [HTTPField]) {
        self.fields = fields
        isForged = !fields.allSatisfy { Self.isName($0.name) && Self.isValue($0.value) }
        // libcurl's own, made with less work than one that is given to it, and only where none is given.
        let accepts = fields.filter { $0.name.lowercased() == "accept" }
        let isOwn = accepts == [HTTPField("Accept", "*/*")]
        lines = CurlLines(isForged ? [] : fields.filter { !isOwn || $0 != accepts[0] }.map(Self.line))
    }

    private static func line(_ field: HTTPField) -> String {
        // "name;" is libcurl's word for an empty value: "name:" would take the field away.
        return field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A && $0 != 0x3B }
    }

    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
#endif
