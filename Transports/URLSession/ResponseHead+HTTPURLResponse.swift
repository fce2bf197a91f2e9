#if URLSession
import Foundation
import FoundationNetworking
import WhirlCore

extension ResponseHead {
    /// The head as FoundationNetworking tells it: names in its own spelling, fields of one name joined by a comma, order
    /// and version lost.
    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name.base as? String).map { HTTPField($0, String(describing: value)) }
        }
        self.init(status: response.statusCode, fields: fields.sorted { $0.name < $1.name })
    }
}

extension HTTPURLResponse {
    /// How the body was encoded on the wire; nil when it was not.
    var bodyEncoding: String? {
        guard let value = value(forHTTPHeaderField: "Content-Encoding")?.lowercased() else { return nil }
        return value.isEmpty || value == "identity" ? nil : value
    }
}
#endif
