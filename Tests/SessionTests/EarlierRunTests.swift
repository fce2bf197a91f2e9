import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("What an earlier run has completed", .timeLimit(.minutes(1))) struct EarlierRunTests {
    private func outcome(
        there file: [UInt8]? = [1], size: Int64? = nil, configure: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> TaskOutcome? {
        let scene = try Scene(
            configure: {
                $0.isDone = { $0.count == 16 }
                $0.onExists = .overwrite
                configure(&$0)
            },
            { _, _ in .file([1, 2, 3]) })
        if let file { scene.folder.write("a", file) }
        let task = try scene.session.add(TransferRequest("http://h.test/a", size: size))
        scene.transport.run()
        let events = scene.recorder.records.compactMap { if case .created = $0.event { $0 } else { nil } }
        #expect(events.count == 1)
        return task.life.snapshot.outcome
    }

    @Test("is skipped without a request as long as its file is there")
    func skipped() throws {
        #expect(try outcome() == .skipped(reason: "journal"))
        #expect(try outcome(configure: { $0.startsPaused = true }) == .skipped(reason: "journal"))
        #expect(try outcome(size: 1) == .skipped(reason: "journal"))
    }

    @Test("is fetched again when its file is gone, or is not of the size it should have")
    func again() throws {
        #expect(try outcome(there: nil)?.isCompleted == true)
        #expect(try outcome(size: 3)?.isCompleted == true)
    }

    @Test("is skipped by its key alone where the file may have another name")
    func names() throws {
        #expect(try outcome(there: nil, configure: { $0.onExists = .rename }) == .skipped(reason: "journal"))
        #expect(try outcome(there: nil, configure: { $0.usesRemoteName = true }) == .skipped(reason: "journal"))
    }

    @Test("is asked by the key that frontends are told")
    func keys() throws {
        let keys = Slots()
        let scene = try Scene(
            configure: {
                $0.isDone = { key in
                    keys.add(key)
                    return false
                }
            },
            { _, _ in .file([1]) })
        try scene.add()
        scene.transport.run()
        let told = scene.recorder.records.compactMap { record -> String? in
            if case .created(_, let description) = record.event { description.key } else { nil }
        }
        #expect(keys.all == told && told.count == 1)
    }
}

private final class Slots: Sendable {
    private let keys = Mutex<[String]>([])
    var all: [String] { keys.withLock { $0 } }
    func add(_ key: String) { keys.withLock { $0.append(key) } }
}
