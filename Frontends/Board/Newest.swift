/// The newest of many, in order.
public struct Newest<Element> {
    private let most: Int
    private var elements: [Element] = []
    private var oldest = 0

    /// None yet; at most `most` are kept.
    public init(_ most: Int) { self.most = max(1, most) }

    /// Whether there is none.
    public var isEmpty: Bool { elements.isEmpty }

    /// Adds one; true when the oldest had to go for it.
    public mutating func append(_ element: Element) -> Bool {
        guard elements.count >= most else {
            elements.append(element)
            return false
        }
        elements[oldest] = element
        oldest = (oldest + 1) % most
        return true
    }

    /// All of them, the oldest first; none is left.
    public mutating func takeAll() -> [Element] {
        defer { (elements, oldest) = ([], 0) }
        return Array(elements[oldest...] + elements[..<oldest])
    }
}

extension Newest: Sendable where Element: Sendable {}
