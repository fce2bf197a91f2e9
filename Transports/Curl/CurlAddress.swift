#if Curl
import Glibc
public import WhirlCore

extension CurlTransport {
    /// An address for a host and a port, in place of what a name server says.
    public struct Address: Equatable, Sendable {
        /// As libcurl reads it: `HOST:PORT:ADDRESS`.
        let line: String

        /// Reads `HOST:PORT:ADDRESS`; an IPv6 address may stand in brackets.
        ///
        /// Throws `usage` for anything else.
        public init(_ text: String) throws(TransferError) {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
                let port = UInt16(parts[1]), port > 0
            else {
                throw TransferError(
                    .usage,
                    "'\(text)' is no address for --resolve; write it as HOST:PORT:ADDRESS, such as a.test:443:127.0.0.1"
                )
            }
            var address = parts[2]
            if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
            guard Self.isAddress(address) else {
                throw TransferError(
                    .usage,
                    "'\(text)' is no address for --resolve; after \(parts[0]):\(port): must come an IPv4 or IPv6 address"
                )
            }
            line = "\(parts[0]):\(port):\(address.contains(":") ? "[\(address)]" : address)"
        }

        private static func isAddress(_ text: String) -> Bool {
            var bytes = in6_addr()  // the larger of the two
            return unsafe inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
        }
    }
}
#endif
