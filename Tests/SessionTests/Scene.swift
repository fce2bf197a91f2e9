import Synchronization
import WhirlCore
public import WhirlInMemory
import WhirlLoopback
public import WhirlSession

extension ManualClock: SessionClock {}

/// Throws for the first of the requests that a session would not take beside those before it.
func check(_ requests: [TransferRequest]) throws(TransferError) {
    var check = RequestCheck()
    for request in requests { try check.admit(request) }
}

/// A session over a scripted transport, on a clock that stands still: with stepped delivery all happens on the test's
/// thread.
final class Scene: Sendable {
    let folder: Folder
    let clock = ManualClock()
    let recorder = Recorder()
    let transport: ScriptedTransport
    let session: Session

    init(
        _ delivery: ScriptedTransport.Delivery = .stepped,
        capabilities: Capabilities = [.pause, .backpressure, .phases, .robust],
        configure: (inout SessionConfiguration) -> Void = { _ in }, frontends: [any Frontend] = [],
        _ script: @escaping @Sendable (ExchangeRequest, Int) -> [Step]
    ) throws {
        folder = try Folder()
        transport = ScriptedTransport(delivery, capabilities: capabilities, script)
        var configuration = SessionConfiguration(in: folder)
        configuration.transportName = "scripted"
        configuration.pauseKeeping = 10
        configuration.durability = .none  // all happens on the test's thread
        configure(&configuration)
        session = try Session(
            transport: transport, configuration: configuration, frontends: [recorder] + frontends, clock: clock)
    }

    /// Adds a task; its first steps are done when the transport runs.
    @discardableResult
    func add(_ path: String = "/a", host: String = "h.test") throws -> any TransferTask {
        try session.add(TransferRequest("http://\(host)\(path)"))
    }

    /// Moves the clock in steps of a tick, and the transport after each.
    func pass(_ seconds: Double) {
        for _ in 0..<Int((seconds * 10).rounded()) {
            clock.advance(by: 0.1)
            transport.run()
        }
    }
}

/// Calls a test's code once, on the first event that is so, inside the event.
final class Trap: Sendable {
    private let observation = Mutex<Observation?>(nil)

    init(
        _ task: any TransferTask, on isIt: @escaping @Sendable (TaskEvent) -> Bool,
        _ body: @escaping @Sendable (any TransferTask) -> Void
    ) {
        let once = Once()
        let observation = task.life.observe { [weak task] update in
            guard let task, let event = update.event, isIt(event), once.take() else { return }
            body(task)
        }
        self.observation.withLock { $0 = observation }
    }
}

/// True the first time.
final class Once: Sendable {
    private let isArmed = Mutex(true)

    func take() -> Bool {
        isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed
        }
    }
}

/// A task that a script names before it is there.
final class Slot: Sendable {
    private let box = Mutex<(any TransferTask)?>(nil)

    var task: (any TransferTask)? {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }
}
