import Synchronization
import WhirlCore

/// A point where a script waits until a test opens it; once open it stays so.
public final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [@Sendable () -> Void] = []
    }
    private let state = Mutex(State())

    /// A closed latch.
    public init() {}

    /// Whether scripts pass.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Lets every script that waits here go on.
    ///
    /// Any thread; idempotent.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for each in waiters { each() }
    }

    /// Calls `body` once, when it opens; false, without a call, when it is open.
    func wait(_ body: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isOpen { state.waiters.append(body) }
            return !state.isOpen
        }
    }
}
