#if Curl
import WhirlCore

/// Puts the head of the final response together from the lines libcurl gives.
///
/// Informational responses are passed over; so is all that comes after the head, such as trailers.
struct HeadReader {
    enum Result {
        case more
        case head(ResponseHead)
        /// What makes no sense of an answer.
        case wrong(String)
    }

    /// As libcurl's own since 8.3: a server must not be able to fill the memory with fields.
    static let limit = 300 << 10

    private enum Place { case statusLine, fields, done }

    private var place = Place.statusLine
    private var version = ResponseHead.Version.unknown
    private var block: [UInt8] = []
    /// The last status seen, informational ones too; 0 before.
    private(set) var status = 0

    /// The head was given.
    var isDone: Bool { place == .done }

    mutating func read(_ line: UnsafeRawBufferPointer) -> Result {
        switch place {
        case .done: return .more
        case .statusLine:
            unsafe readStatus(line)
            place = .fields
            return .more
        case .fields:
            guard unsafe isEmpty(line) else {
                if block.isEmpty { block.reserveCapacity(512) }
                unsafe block.append(contentsOf: line)
                return block.count > Self.limit
                    ? .wrong("the header block is larger than \(Self.limit >> 10) KiB") : .more
            }
            defer { block = [] }
            // What follows is in another protocol; libcurl would give it as a body.
            guard status != 101 else { return .wrong("the server switched to another protocol (101)") }
            guard status >= 200 else {
                place = .statusLine
                return .more
            }
            place = .done
            return .head(ResponseHead(status: status, version: version, block: block))
        }
    }

    private func isEmpty(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe line.first == 0x0A || (line.count >= 2 && line[0] == 0x0D && line[1] == 0x0A)
    }

    /// `HTTP/1.1 200 OK`, `HTTP/2 200`.
    private mutating func readStatus(_ line: UnsafeRawBufferPointer) {
        let name = unsafe line.prefix { $0 > 0x20 }
        version =
            switch unsafe String(decoding: name.dropFirst(5), as: UTF8.self) {
            case "1.1": .http11
            case "1.0": .http10
            case "2", "2.0": .http2
            case "3", "3.0": .http3
            default: .unknown
            }
        let number = unsafe line[name.endIndex...].drop { $0 == 0x20 }.prefix { $0 > 0x20 }
        status = unsafe number.reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) }
    }
}
#endif
