/// The slots of one group of rows, in order.
///
/// Adding, and taking the first or the last away, cost nothing much; one taken
/// from the middle leaves a hole until the next look.
struct Lane {
    private static let hole = -1
    private var slots: [Int] = []
    private var head = 0
    private(set) var count = 0

    /// Appends and returns the place, by which it can be taken away.
    mutating func append(_ slot: Int) -> Int {
        slots.append(slot)
        count += 1
        return slots.count - 1
    }

    mutating func remove(at place: Int) {
        slots[place] = Self.hole
        count -= 1
        while head < slots.count, slots[head] == Self.hole { head += 1 }
        if head == slots.count {
            slots.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    var hasHoles: Bool { slots.count - head != count }
    /// More room is wasted than used.
    var isWasteful: Bool { slots.count > 2 * count + 64 }
    /// In order.
    var all: some Sequence<Int> { slots[head...].lazy.filter { $0 != Self.hole } }
    var first: Int? { count > 0 ? slots[head] : nil }

    /// The slot that is `index`-th; only without holes.
    func slot(_ index: Int) -> Int { slots[head + index] }

    /// Closes the holes: places begin at 0 again, in order.
    mutating func compact() -> [Int] {
        slots = slots[head...].filter { $0 != Self.hole }
        head = 0
        return slots
    }
}
