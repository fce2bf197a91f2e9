import Synchronization
import WhirlCore

/// The indicator of one task: a handle on its row, which the board asks when somebody looks.
///
/// Never draws, never blocks, and takes no lock: many tasks start and stop on several threads at once.
final class RowHandle: ProgressIndicator, Sendable {
    let binding = IndicatorBinding()
    private weak let task: (any TransferTask)?
    private let pulse: Pulse
    private let animates = Atomic(false)
    private let isDirty = Atomic(false)

    init(_ task: any TransferTask, pulse: Pulse) {
        self.task = task
        self.pulse = pulse
    }

    /// The head of the task's newest answer.
    var answer: ResponseHead? { task?.answer }
    /// What it was last told.
    var isAnimating: Bool { animates.load(ordering: .acquiring) }

    func startAnimating() { animate(true) }
    func stopAnimating() { animate(false) }

    private func animate(_ isAnimating: Bool) {
        if animates.exchange(isAnimating, ordering: .acquiringAndReleasing) != isAnimating { pulse.beat() }
    }

    func show(_ progress: TransferProgress) {
        isDirty.store(true, ordering: .releasing)
        pulse.beat()
    }

    /// The task as it is, if there was progress since the last time: the whole snapshot says to which attempt the bytes
    /// belong.
    func takeNews() -> TaskSnapshot? {
        isDirty.exchange(false, ordering: .acquiringAndReleasing) ? task?.life.snapshot : nil
    }
}

/// Counts what handles were told: it keeps no board alive.
final class Pulse: Sendable {
    private let beats = Atomic<UInt64>(0)

    /// So many.
    var count: UInt64 { beats.load(ordering: .acquiring) }

    func beat() { beats.add(1, ordering: .releasing) }
}
