import Glibc

/// A plain thread for what blocks: it must not take one of the few that run tasks.
enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `run` on a thread of its own that nobody waits for.
    static func detach(_ run: @escaping @Sendable () -> Void) {
        let body = unsafe Unmanaged.passRetained(Body(run))
        // Room for one rather than a variable: which module its initializer is of depends on what else is compiled.
        let result = unsafe withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer -> Int32 in
            guard let attributes = buffer.baseAddress else { return EINVAL }
            unsafe pthread_attr_init(attributes)
            defer { unsafe pthread_attr_destroy(attributes) }
            unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            unsafe pthread_attr_setstacksize(attributes, 256 << 10)
            var thread = pthread_t()
            return unsafe pthread_create(
                &thread, attributes,
                { argument in
                    if let argument = unsafe argument {
                        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    }
                    return nil
                }, body.toOpaque())
        }
        precondition(result == 0, "no thread could be started; raise the limit of processes (ulimit -u)")
    }
}
