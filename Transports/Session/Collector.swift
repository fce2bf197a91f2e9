import Glibc

/// Collects small pieces into one large write.
///
/// Its memory comes with the first piece and goes with it.
///
/// Sendable, as it is handed from thread to thread: no two have it at a time.
@safe final class Collector: @unchecked Sendable {
    private let capacity: Int
    private var memory: UnsafeMutableRawPointer?
    private(set) var count = 0

    init(capacity: Int) { self.capacity = capacity }

    deinit { unsafe free(memory) }

    var isFull: Bool { count == capacity }

    /// Valid until the next change.
    @unsafe var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

    /// Takes as many of the bytes as there is room for; returns how many.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        if unsafe memory == nil { unsafe memory = malloc(capacity) }
        guard let memory = unsafe memory, let start = bytes.baseAddress else { return 0 }
        let taken = min(bytes.count, capacity - count)
        unsafe memcpy(memory + count, start, taken)
        count += taken
        return taken
    }

    func clear() { count = 0 }
}
