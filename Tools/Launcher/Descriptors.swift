import Glibc

/// The descriptors that the process may have.
enum Descriptors {
    /// Whether whoever started the process has opened it: all of our own are closed when a program is started.
    static func isInherited(_ number: Int32) -> Bool {
        let flags = fcntl(number, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0
    }

    /// As many as the system allows: each transfer takes two, and the usual 1024 were made for `select`.
    static func raiseLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
