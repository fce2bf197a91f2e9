import Synchronization

#if SANITIZE_THREAD
@testable import WhirlCore
#endif

/// A value that several threads change.
final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { _ = change { exchange(&$0, newValue) } }
    }

    /// What is thrown away is returned, so that it is released with no lock held.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }

    private func exchange(_ place: inout Value, _ value: Value) -> Value {
        defer { place = value }
        return place
    }
}

/// A number that several threads count.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .acquiring) }

    @discardableResult
    func up() -> Int { number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }

    @discardableResult
    func down() -> Int { number.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue }
}
