import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

#if Curl
import WhirlCurl
#endif
#if URLSession
import WhirlURLSession
#endif

/// The transports that every promise of the session holds over.
struct Backend: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable () -> any Transport

    /// Those of this build.
    static let allCases: [Backend] = {
        var all: [Backend] = []
        #if Curl
        all.append(Backend(testDescription: "curl") { CurlTransport() })
        #endif
        #if URLSession
        all.append(Backend(testDescription: "urlsession") { URLSessionTransport() })
        #endif
        return all
    }()
}

typealias Folder = TemporaryFolder

extension TransferTask {
    /// Waits until the task's snapshot is so; the newest one in any case.
    @discardableResult
    func until(_ condition: @escaping @Sendable (TaskSnapshot) -> Bool) async -> TaskSnapshot {
        var last = life.snapshot
        for await update in life.updates {
            last = update.snapshot
            if condition(last) { break }
        }
        return last
    }

    /// Waits for the end.
    func outcome() async -> TaskOutcome? { await until { $0.outcome != nil }.outcome }
}

/// The events of a task from now on, progress left out.
final class EventLog: Sendable {
    private let log = Mutex<[TaskEvent]>([])
    private let observation: Mutex<Observation?> = Mutex(nil)

    init(_ task: any TransferTask) {
        let observation = task.life.observe { [self] update in
            if let event = update.event, event != .progress { log.withLock { $0.append(event) } }
        }
        self.observation.withLock { $0 = observation }
    }

    var events: [TaskEvent] { log.withLock { $0 } }
}

extension TaskOutcome {
    var error: TransferError? { if case .failed(let error) = self { error } else { nil } }
    var isCompleted: Bool { if case .completed = self { true } else { false } }
}

extension SessionConfiguration {
    /// One try a task: tests of retries ask for more.
    init(in folder: Folder) {
        self.init()
        directory = folder.path
        retries = 0
    }
}

extension Recorder {
    /// The sentences of all warnings, in order.
    var warnings: [String] {
        records.compactMap { if case .warning(let text) = $0.event { text } else { nil } }
    }
}
