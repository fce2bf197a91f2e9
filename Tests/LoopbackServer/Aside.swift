/// Runs what blocks on a thread of its own.
///
/// The pool that a process's tasks share has as many threads as the machine has cores: a few tests that wait on it for
/// a program or a terminal would hold all others up.
public func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do {
            let thread = try Thread.start { continuation.resume(with: Result(catching: body)) }
            Thread.leave(thread)
        } catch {
            continuation.resume(throwing: error)
        }
    }
}
