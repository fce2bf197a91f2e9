import Glibc

/// The bytes of a body, known from a seed and an offset alone, so that any range of any size can be checked.
public struct BodyPattern: Hashable, Sendable {
    /// Which body.
    public let seed: Int

    /// A body's bytes.
    public init(_ seed: Int = 1) { self.seed = seed }

    /// The bytes in `range`.
    public func bytes(_ range: Range<Int64>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(range.upperBound - range.lowerBound))
        pieces(range) { bytes += $0 }
        return bytes
    }

    /// The first `count` bytes.
    public func bytes(_ count: Int) -> [UInt8] { bytes(0..<Int64(count)) }

    /// Whether `span` holds the bytes that begin at `offset`.
    public func matches(_ span: borrowing RawSpan, at offset: Int64) -> Bool {
        var same = true
        var done = 0
        pieces(offset..<(offset + Int64(span.byteCount))) { piece in
            let part = span.extracting(done..<(done + piece.count))
            same = same && Self.areEqual(part, piece)
            done += piece.count
        }
        return same
    }

    private static func areEqual(_ part: borrowing RawSpan, _ piece: ArraySlice<UInt8>) -> Bool {
        unsafe part.withUnsafeBytes { received in
            unsafe piece.withUnsafeBytes { expected in
                guard let one = received.baseAddress, let other = expected.baseAddress else { return true }
                return unsafe memcmp(one, other, expected.count) == 0
            }
        }
    }

    /// Whether `bytes` are those that begin at `offset`.
    public func matches(_ bytes: [UInt8], at offset: Int64 = 0) -> Bool {
        unsafe matches(bytes.span.bytes, at: offset)
    }

    /// Visits `range` in slices of a shared table, so that no byte is computed twice.
    func pieces(_ range: Range<Int64>, _ visit: (ArraySlice<UInt8>) -> Void) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let start = Int((offset + Int64(seed) * 7919) % Int64(Self.period))
            let count = min(Int(range.upperBound - offset), Self.period - start)
            visit(Self.table[start..<(start + count)])
            offset += Int64(count)
        }
    }

    /// A prime: no buffer size divides it, so a piece that is lost, doubled or moved shows.
    private static let period = 1_048_573

    private static let table: [UInt8] = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return unsafe [UInt8](unsafeUninitializedCapacity: period) { buffer, count in
            for index in 0..<period {
                state ^= state &<< 13
                state ^= state &>> 7
                state ^= state &<< 17
                unsafe buffer[index] = UInt8(truncatingIfNeeded: state &>> 24)
            }
            count = period
        }
    }()
}
