#if NCurses
import WhirlBoard
import WhirlCore

/// What a key asks for.
enum Wish: Equatable, Sendable {
    /// Another place in the list, or another list: look there and settle.
    case move
    /// Something else than rows is shown: draw.
    case show
    case repaint
    /// Pause the selected task, or resume it when it is paused.
    case toggle
    /// Pause all tasks, or resume them when none runs or waits.
    case toggleAll
    case cancel
    /// Once more what failed: the selected task, or all when that one has not failed.
    case retry
    /// Once more all that failed.
    case retryAll
    /// So many more tasks at once, or fewer.
    case jobs(Int)
    case drain
    case quit

    /// The command that it is, given the selected task as it is now; nil when there is nothing to do to that.
    func command(for row: Row?) -> RunCommand? {
        guard let row else { return nil }
        if self == .retry, row.group == .failed { return .retry(row.id) }
        guard row.outcome == nil, row.state != .canceling else { return nil }
        return switch self {
        case .toggle: row.group == .paused ? .resume(row.id) : .suspend(row.id)
        case .cancel: .cancel(row.id)
        default: nil
        }
    }
}
#endif
