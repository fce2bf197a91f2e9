#if Curl
import CWhirlCurl
import WhirlCore

/// Header fields in libcurl's form.
///
/// Transfers in flight share it; the last one to let go frees it.
@safe final class CurlFieldList {
    let fields: [HTTPField]
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    /// A field would end its line early, and so put another on the wire than the caller meant.
    let isForged: Bool

    init(_ fields: [HTTPField]) {
        self.fields = fields
        isForged = !fields.allSatisfy { Self.isName($0.name) && Self.isValue($0.value) }
        guard !isForged else { return }
        for field in fields {
            // "name;" is libcurl's word for an empty value: "name:" would take the field away.
            let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
            unsafe list = curl_slist_append(list, line)
        }
    }

    deinit { unsafe curl_slist_free_all(list) }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A && $0 != 0x3B }
    }

    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
#endif
