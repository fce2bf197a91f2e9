import Synchronization
import WhirlCore

/// The indicator of one task: remembers that there is something to tell, and wakes whoever tells it.
final class StreamIndicator: ProgressIndicator, Sendable {
    let binding = IndicatorBinding()
    private weak let task: (any TransferTask)?
    private let animates = Atomic(false)
    private let isDirty = Atomic(false)
    private let onChange: @Sendable () -> Void

    init(_ task: any TransferTask, onChange: @escaping @Sendable () -> Void) {
        self.task = task
        self.onChange = onChange
    }

    func startAnimating() {
        animates.store(true, ordering: .releasing)
        mark()
    }

    func stopAnimating() { animates.store(false, ordering: .releasing) }

    func show(_ progress: TransferProgress) { mark() }

    /// There is something new to tell.
    func mark() {
        isDirty.store(true, ordering: .releasing)
        onChange()
    }

    /// The newest of the task, if there is something new and it animates.
    ///
    /// The whole snapshot is taken, not what was
    /// shown: it says to which attempt the bytes belong, and in which phase they came.
    func takeNews() -> TaskSnapshot? {
        guard isDirty.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
        return animates.load(ordering: .acquiring) ? task?.life.snapshot : nil
    }
}
