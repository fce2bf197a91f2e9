import Glibc
import Synchronization
public import WhirlBoard
public import WhirlCore

/// The way in for programs: lines of commands from a descriptor, a file, or whoever connects to a socket.
///
/// - Whoever connects sees the stream of the run from then on: `run` first, then the tasks that have not ended as if they
///   had just come to where they are, then all that happens, and the answers to its own commands.
/// - The socket is for processes of the same user, and is gone at the end. A reader that is slow loses records, which it
///   is told (`lost`); it slows nothing.
/// - One thread does it all. It waits for what happens, never for a client.
public final class ControlPort: Frontend {
    /// The longest command in bytes.
    public static let longestLine = 1 << 20

    struct State {
        var picture = RunPicture()
        /// For those who are connected, each for one of them or for all.
        var queue: [(record: RunRecord, only: Int32?)] = []
        var watchers = 0
        /// Whose command is being done: the answer is for nobody else.
        var asking: Int32?
        var isClosing = false
        var thread: WorkerThread?
        /// When the run began, by its own clocks and by ours.
        var beginning: (moment: Moment, at: UInt64)?
    }
    /// What is done with what comes.
    struct Actions: Sendable {
        let take: @Sendable ([UInt8]?) -> Void
        let ended: @Sendable (String?) -> Void
    }
    let input: Int32?
    let socket: ControlSocket?
    let waker: Waker
    let clock: @Sendable () -> UInt64
    let state = Mutex(State())
    /// So many bytes may wait for one who is connected.
    let patience: Int
    private let isOwned: Bool

    /// Opens it; `clock` gives monotonic nanoseconds.
    ///
    /// Throws `usage` when it can't be read, or the socket can't be made.
    public convenience init(
        _ place: ControlPlace, clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
    ) throws(TransferError) {
        try self.init(place, patience: 4 << 20, clock: clock)
    }

    init(
        _ place: ControlPlace, patience: Int, clock: @escaping @Sendable () -> UInt64 = monotonicNanoseconds
    ) throws(TransferError) {
        self.patience = patience
        self.clock = clock
        waker = try Waker()
        input = try place.open()
        switch place {
        case .socket(let path):
            socket = try ControlSocket(path)
            isOwned = false
        case .file:
            socket = nil
            isOwned = true
        case .descriptor:
            socket = nil
            isOwned = false
        }
    }

    deinit {
        if let socket { Glibc.close(socket.descriptor) }
        if let input, isOwned { Glibc.close(input) }
    }

    /// Begins to take commands: `take` is called on a thread of its own for each line, without its end, and with nil for
    /// one that is longer than `longestLine`; `ended` once, when no more can come, with the reason when that is a failure.
    ///
    /// Throws `io` when there can be no more threads.
    public func begin(
        take: @escaping @Sendable (_ line: [UInt8]?) -> Void, ended: @escaping @Sendable (_ reason: String?) -> Void
    ) throws(TransferError) {
        let thread = try WorkerThread { [self] in
            var loop = ControlLoop(self, Actions(take: take, ended: ended))
            loop.run()
        }
        state.withLock { $0.thread = thread }
    }

    /// Takes the socket's file away in a hurry; the process is about to end.
    public func abandon() { socket?.remove() }

    // MARK: the frontend

    /// Nothing: it is open since it was made.
    public func open(_ commands: @escaping @Sendable (RunCommand) -> Void) {}

    /// Nothing: progress comes with the records.
    public func follow(_ task: any TransferTask) {}

    /// Puts the record with those that wait for the thread.
    public func receive(_ record: RunRecord) {
        guard socket != nil else { return }
        let wakes = state.withLock { state in
            if state.beginning == nil {
                state.beginning = (Moment(elapsed: record.elapsed, time: record.time), clock())
            }
            let hadNews = state.picture.hasNews
            let isStep = state.picture.take(record)
            guard state.watchers > 0 else { return false }
            guard isStep else { return !hadNews }
            let isAnswer = if case .answer = record.event { true } else { false }
            state.queue.append((record, isAnswer ? state.asking : nil))
            return state.queue.count == 1
        }
        if wakes { waker.wake() }
    }

    /// Tells those who are connected what waits, for at most a second, and takes the socket away.
    public func close() -> FrontendTrouble? {
        let thread = state.withLock { state in
            state.isClosing = true
            return state.thread.take()
        }
        socket?.remove()
        waker.wake()
        thread?.join()
        return nil
    }
}
