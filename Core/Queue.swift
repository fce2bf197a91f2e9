/// First in, first out; the usual one element lies in line, so an idle queue owns no memory.
struct Queue<Element> {
    private var first: Element?
    private var rest: [Element?] = []
    private var head = 0

    var isEmpty: Bool { first == nil }

    /// Appends, or replaces the newest element when `merges` says so.
    mutating func append(_ element: Element, mergingIf merges: (Element) -> Bool) {
        guard let only = first else {
            first = element
            return
        }
        if head == rest.count {
            if merges(only) { first = element } else { rest.append(element) }
        } else if let newest = rest[rest.count - 1], merges(newest) {
            rest[rest.count - 1] = element
        } else {
            rest.append(element)
        }
    }

    mutating func popFirst() -> Element? {
        let element = first
        if head < rest.count {
            first = rest[head]
            rest[head] = nil
            head += 1
            if head == rest.count {
                rest = []
                head = 0
            }
        } else {
            first = nil
        }
        return element
    }

    /// The element, if it is the only one.
    var only: Element? { head == rest.count ? first : nil }
}
