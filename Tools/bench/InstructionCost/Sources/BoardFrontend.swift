import WhirlBoard
import WhirlCore

/// Shows a run on a board that nobody looks at.
final class BoardFrontend: Frontend {
    private let board = Board { 0 }

    func open(_ commands: @escaping @Sendable (RunCommand) -> Void) {}
    func follow(_ task: any TransferTask) { board.follow(task) }
    func receive(_ record: RunRecord) { board.receive(record) }
    func close() -> FrontendTrouble? { nil }
}
