#if NCurses
import Synchronization
import WhirlBoard
import WhirlCore

/// Time for what the screen's thread does later: it runs what is due between two frames.
final class LoopClock: ActivityClock {
    private struct Due {
        let instant: UInt64
        let body: @Sendable () -> Void
    }
    private let due = Mutex<[Due]>([])

    var now: UInt64 { monotonicNanoseconds() }

    func schedule(at instant: UInt64, _ body: @escaping @Sendable () -> Void) {
        due.withLock { $0.append(Due(instant: instant, body: body)) }
        TerminalSignals.bell?.wake()
    }

    /// Runs what is due by now.
    func run() {
        let now = now
        let ready = due.withLock { due in
            let ready = due.filter { $0.instant <= now }
            due.removeAll { $0.instant <= now }
            return ready
        }
        for each in ready { each.body() }
    }

    /// When the next is due; nil when nothing is.
    var next: UInt64? { due.withLock { $0.map(\.instant).min() } }
}
#endif
