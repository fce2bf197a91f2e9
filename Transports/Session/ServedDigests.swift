import FoundationEssentials
import WhirlCore

/// The digests that a server sends along (RFC 9530), of the algorithms that are not deprecated there.
enum ServedDigests {
    private static let names: [String: DigestAlgorithm] = ["sha-256": .sha256, "sha-512": .sha512]

    /// What the whole file must hash to, in lower-case hexadecimal.
    ///
    /// `Repr-Digest` is of the whole file with 200 and 206; `Content-Digest` of what this response carries, so it counts with 200 only.
    static func of(_ head: ResponseHead) -> [DigestAlgorithm: String] {
        var digests: [DigestAlgorithm: String] = [:]
        guard head.status == 200 || head.status == 206 else { return digests }
        if head.status == 200 { digests = parse(head.values("content-digest")) }
        digests.merge(parse(head.values("repr-digest"))) { $1 }
        return digests
    }

    /// A dictionary of byte sequences (RFC 8941, section 3.2); what is not well formed is passed over.
    private static func parse(_ values: [String]) -> [DigestAlgorithm: String] {
        var digests: [DigestAlgorithm: String] = [:]
        for member in values.joined(separator: ",").split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].filter { $0 != " " && $0 != "\t" }.lowercased()
            let value = parts[1].drop { $0 == " " }.prefix { $0 != ";" && $0 != " " }
            guard let algorithm = names[name], value.first == ":", value.last == ":", value.count > 2,
                let data = Data(base64Encoded: String(value.dropFirst().dropLast()))
            else { continue }
            let text = Digest.hexadecimal(data)
            if text.utf8.count == algorithm.digits { digests[algorithm] = text }
        }
        return digests
    }
}
