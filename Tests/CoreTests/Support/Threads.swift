import Glibc
import Synchronization

/// Real threads, so that blocking one never starves the concurrency pool, and a pool that is stuck holds up none.
enum Threads {
    private final class Start: Sendable {
        private let body: Locked<(@Sendable () -> Void)?>
        private let end: Record<Int>

        init(_ body: @escaping @Sendable () -> Void, _ end: Record<Int>) {
            self.body = Locked(body)
            self.end = end
        }

        /// What the body holds is released before anyone hears of its end.
        func run() {
            body.change { $0.take() }?()
            end.append(1)
        }
    }

    struct Handle: Sendable {
        fileprivate let end: Record<Int>

        func join() async { await end.wait(for: 1) }
    }

    static func start(_ body: @escaping @Sendable () -> Void) -> Handle {
        let end = Record<Int>()
        let start = unsafe Unmanaged.passRetained(Start(body, end))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, start.toOpaque())
        precondition(result == 0, "no threads left")
        pthread_detach(thread)
        return Handle(end: end)
    }

    /// Runs `body` on `count` threads that begin together, and returns when all have ended.
    static func race(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        let line = StartLine(count)
        let all = (0..<count).map { index in
            start {
                line.arrive()
                body(index)
            }
        }
        for each in all { await each.join() }
    }

    /// The thread that runs now.
    static var current: UInt { UInt(pthread_self()) }

    static func yield() { sched_yield() }
}

/// The start line of a race: spins, because threads that are woken one by one do not race.
private final class StartLine: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) { missing = Atomic(count) }

    func arrive() {
        missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        while missing.load(ordering: .acquiring) > 0 { sched_yield() }
    }
}

/// Holds threads, not tasks, until it is opened; then it stays open.
final class ThreadGate: Sendable {
    private let reading: Int32
    private let writing: Locked<Int32?>

    init() {
        var ends: [Int32] = [-1, -1]
        let result = unsafe pipe(&ends)
        precondition(result == 0, "no descriptors left")
        reading = ends[0]
        writing = Locked(ends[1])
    }

    deinit {
        self.open()
        close(reading)
    }

    func open() {
        guard let writing = writing.change({ $0.take() }) else { return }
        // A byte that nobody takes: the mere end of the pipe would not come while a child process has the other end too.
        _ = unsafe write(writing, "!", 1)
        close(writing)
    }

    func wait() {
        var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&waiting, 1, -1) < 0 && errno == EINTR {}
    }
}
