#if SANITIZE_THREAD
// ThreadSanitizer does not see the slow path of Synchronization.Mutex (it lives in an uninstrumented library) and
// reports races that are none. In sanitizer builds this type shadows it, here and in the modules above that name it, with a
// lock the sanitizer understands.
import Glibc

typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>

package struct SanitizedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    @safe private final class Storage: @unchecked Sendable {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        var value: Value
        init(_ value: consuming sending Value) {
            self.value = value
            unsafe lock.initialize(to: pthread_mutex_t())
            unsafe pthread_mutex_init(lock, nil)
        }
        deinit {
            unsafe pthread_mutex_destroy(lock)
            unsafe lock.deallocate()
        }
    }
    private let storage: Storage

    package init(_ value: consuming sending Value) { storage = Storage(value) }

    package func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        unsafe pthread_mutex_lock(storage.lock)
        defer { unsafe pthread_mutex_unlock(storage.lock) }
        return try body(&storage.value)
    }
}
#endif
