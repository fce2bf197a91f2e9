import Testing

@testable import WhirlCore

/// What an outbox holds here: a progress, or a step that must not be lost.
private enum Item: Coalescing, Equatable {
    case step(Int)
    case progress(Int)

    var isProgress: Bool { if case .progress = self { true } else { false } }
}

@Suite("The outbox") struct OutboxTests {
    @Test("A progress takes the place of a progress right before it, and of nothing else")
    func coalescing() {
        var outbox = Outbox<Item>()
        for item in [Item.progress(1), .progress(2), .step(1), .step(1), .progress(3), .progress(4), .step(2)] {
            outbox.put(item)
        }
        var seen: [Item] = []
        while let item = outbox.next() { seen.append(item) }
        #expect(seen == [.progress(2), .step(1), .step(1), .progress(4), .step(2)])
    }

    @Test("One has the turn at a time: whoever begins meanwhile gets nothing, and nobody is asked to come")
    func oneTurn() {
        var outbox = Outbox<Item>()
        #expect(outbox.ask() == false)
        outbox.put(.step(1))
        outbox.put(.step(2))
        #expect(outbox.begin() == .step(1))
        #expect(outbox.begin() == nil)
        #expect(outbox.ask() == false)
        #expect(outbox.next() == .step(2))
        #expect(outbox.next() == nil)
        outbox.put(.step(3))
        #expect(outbox.begin() == .step(3))
    }

    @Test("A turn is asked for once, until it comes or someone takes it who can deliver here and now")
    func asking() {
        var outbox = Outbox<Item>()
        outbox.put(.step(1))
        #expect(outbox.ask() == true)
        #expect(outbox.ask() == false)
        outbox.arrive()
        #expect(outbox.claim() == true)
        #expect(outbox.claim() == false)
        #expect(outbox.pause() == true)  // something waits still: asked for again
        #expect(outbox.begin() == .step(1))
    }

    @Test("Cleared, it is empty, and its turn stays with whoever has it")
    func clearing() {
        var outbox = Outbox<Item>()
        outbox.put(.step(1))
        outbox.put(.step(2))
        #expect(outbox.begin() == .step(1))
        _ = outbox.clear()
        outbox.put(.step(3))
        #expect(outbox.begin() == nil)
        #expect(outbox.next() == .step(3))
    }

    @Test(
        "Order holds for a reader that is always behind, and no memory is kept for what has passed",
        arguments: [1, 2, 63, 64, 65, 200])
    func alwaysBehind(lead: Int) throws {
        var queue = Queue<Int>()
        for number in 0..<lead { queue.append(number) { _ in false } }
        for number in 0..<2000 {
            queue.append(number + lead) { _ in false }
            #expect(queue.popFirst() == number)
            let rest = try #require(Mirror(reflecting: queue).children.first { $0.label == "rest" }?.value as? [Int?])
            #expect(rest.count <= 2 * lead + 130, "it grows with what has passed, not with what waits")
        }
        for number in 2000..<(2000 + lead) { #expect(queue.popFirst() == number) }
        #expect(queue.isEmpty)
    }
}
