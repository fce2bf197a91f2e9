import WhirlCore

/// The indicator of one task: a handle on its row.
///
/// Never draws, never blocks.
final class RowHandle: ProgressIndicator, Sendable {
    let binding = IndicatorBinding()
    private weak let board: Board?
    private weak let task: (any TransferTask)?
    private let id: TaskID

    init(board: Board, task: any TransferTask) {
        self.board = board
        self.task = task
        id = task.life.id
    }

    /// The head of the task's newest answer.
    var answer: ResponseHead? { task?.answer }

    func startAnimating() { board?.animate(id, true) }
    func stopAnimating() { board?.animate(id, false) }

    /// Tells the board the whole snapshot: it says to which attempt the bytes belong.
    func show(_ progress: TransferProgress) {
        guard let task else { return }
        board?.advance(id, to: task.life.snapshot)
    }
}
