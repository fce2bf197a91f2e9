import Glibc

/// Plain threads: a server that is judged by its record must not depend on a pool that a test keeps busy.
enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func start(_ run: @escaping @Sendable () -> Void) throws -> pthread_t {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, 256 << 10)
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run))
        let result = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard result == 0 else {
            unsafe body.release()
            errno = result
            throw SocketError("pthread_create")
        }
        return thread
    }

    /// For a thread that nobody joins.
    static func leave(_ thread: pthread_t) { pthread_detach(thread) }

    static func join(_ thread: pthread_t) { pthread_join(thread, nil) }
}
