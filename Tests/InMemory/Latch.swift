/// A point where a script waits until a test opens it; once open it stays so.
public final class Latch: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Shared(State())

    /// A closed latch.
    public init() {}

    /// Whether it has been opened.
    public var isOpen: Bool { state.value.isOpen }

    /// Lets everything that waits here go on.
    ///
    /// Any thread; idempotent.
    public func open() {
        let waiting = state.change { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// Calls `body` once: on the thread that opens the latch, or at once if it is open.
    func whenOpen(_ body: @escaping @Sendable () -> Void) {
        let isOpen = state.change { state in
            if !state.isOpen { state.waiting.append(body) }
            return state.isOpen
        }
        if isOpen { body() }
    }
}
