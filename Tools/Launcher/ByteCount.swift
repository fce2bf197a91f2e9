/// Numbers of bytes as people write them: `1048576`, `500k`, `1.5G`.
enum ByteCount {
    /// The number that `text` stands for; k, M, G and T, in either case, are powers of 1024.
    ///
    /// Nil when it is none, or not a whole one.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard let last = text.last else { return nil }
        guard let power = "kmgt".firstIndex(of: Character(last.lowercased())) else { return whole(text) }
        let shift = 10 * ("kmgt".distance(from: "kmgt".startIndex, to: power) + 1)
        let number = text.dropLast()
        if let count = whole(number) {
            let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: 1 << shift)
            return isTooLarge ? nil : bytes
        }
        guard let count = decimal(number) else { return nil }
        return Int(exactly: (count * Double(1 << shift)).rounded())
    }

    /// A number in digits alone.
    static func whole(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// A number in digits, perhaps with a fraction.
    static func decimal(_ text: some StringProtocol) -> Double? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(text) : nil
    }
}
