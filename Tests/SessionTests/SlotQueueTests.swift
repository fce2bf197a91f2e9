import Testing
import WhirlCore

@testable import WhirlSession

@Suite("Slots") struct SlotQueueTests {
    private let ids = (1...100).map { TaskID(number: UInt64($0)) }

    @Test("never more than that many have a slot, in order of arrival")
    func order() {
        var queue = SlotQueue(jobs: 3, perHost: nil)
        for id in ids.prefix(5) { queue.enqueue(id, host: "h\(id.number)") }
        #expect([queue.next(at: 0)?.id, queue.next(at: 0)?.id, queue.next(at: 0)?.id] == Array(ids.prefix(3)))
        #expect(queue.next(at: 0) == nil && queue.active == 3 && queue.waiting == 2)
        queue.release(host: "h1")
        #expect(queue.next(at: 0)?.id == ids[3])
    }

    @Test("with a limit per host, none has more, and hosts take turns")
    func perHost() {
        var queue = SlotQueue(jobs: 4, perHost: 1)
        for id in ids.prefix(6) { queue.enqueue(id, host: id.number <= 4 ? "a" : "b") }
        #expect(queue.next(at: 0)?.id == ids[0] && queue.next(at: 0)?.id == ids[4] && queue.next(at: 0) == nil)
        queue.release(host: "b")
        #expect(queue.next(at: 0)?.id == ids[5])
        queue.release(host: "a")
        #expect(queue.next(at: 0)?.id == ids[1])
    }

    @Test("one who goes first stands before all others")
    func first() {
        var queue = SlotQueue(jobs: 1, perHost: nil)
        for id in ids.prefix(3) { queue.enqueue(id, host: "h") }
        #expect(queue.next(at: 0)?.id == ids[0])
        queue.enqueue(ids[9], host: "h", first: true)
        queue.release(host: "h")
        #expect(queue.next(at: 0)?.id == ids[9])
    }

    @Test("whatever happens, slots and lines add up", arguments: [nil, 2] as [Int?])
    func random(_ perHost: Int?) {
        var queue = SlotQueue(jobs: 5, perHost: perHost)
        var random = SystemRandomNumberGenerator()
        var held: [String] = []
        var waiting = 0
        for step in 0..<20_000 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                queue.enqueue(ids[step % 100], host: "h\(step % 4)", first: step % 7 == 0)
                waiting += 1
            case 1:
                if let next = queue.next(at: 0) {
                    held.append(next.host)
                    waiting -= 1
                }
            default:
                if let index = held.indices.randomElement(using: &random) {
                    queue.release(host: held.remove(at: index))
                }
            }
            #expect(queue.active == held.count && queue.waiting == waiting && held.count <= 5)
            for host in Set(held) { #expect(held.count { $0 == host } <= perHost ?? 5) }
        }
    }

    @Test("exit codes are ordered, whatever the order of tasks")
    func exits() {
        let all: [Int32] = [70, 4, 3, 2, 1, 5, 0]
        for (index, worse) in all.enumerated() {
            for better in all[index...] {
                #expect(ExitCode.worse(worse, better) == worse && ExitCode.worse(better, worse) == worse)
            }
        }
    }
}
