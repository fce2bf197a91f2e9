import Glibc
public import WhirlCore

/// A frontend's own thread: it may block, and takes no signals.
///
/// With SIGPIPE blocked, a write to a pipe that nobody reads is an error here and nothing for the rest of the process.
public struct WorkerThread: Sendable {
    private let thread: pthread_t

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread; throws `io` when there can be no more threads.
    public init(_ run: @escaping @Sendable () -> Void) throws(TransferError) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)  // inherited by the new thread
        var thread = pthread_t()
        let number = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, unsafe body.toOpaque())
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard number == 0 else {
            unsafe body.release()
            throw TransferError(
                .io, "no thread for a frontend", number: number, advice: "raise the limit of processes (ulimit -u)")
        }
        self.thread = thread
    }

    /// Waits for its end; once.
    public func join() { pthread_join(thread, nil) }
}
