#if NCurses
import WhirlBoard
import WhirlCore

/// Where a person looks, and what their keys mean: pure, so that every key has a test.
///
/// The selection is a task, not a place: rows move while people aim, and a key must never hit another task than the one
/// they saw.
struct Browser: Equatable, Sendable {
    /// The first row in sight.
    private(set) var top = 0
    /// Where the selection was seen last.
    private(set) var cursor = 0
    /// The task that keys act on; nil right after a move, until `settle`.
    private(set) var selected: TaskID?
    /// Until somebody moves or acts, the selection stays with the first row.
    private(set) var isFollowing = true
    private(set) var isQuitting = false

    /// What a key asks for.
    enum Wish: Equatable {
        /// Another place: look there and `settle`.
        case move
        /// Pause the selected task, or resume it when it is paused.
        case toggle
        case cancel
        case quit
        case repaint
    }

    /// Takes a key; nil when it means nothing.
    ///
    /// `page` is how many rows are in sight, `count` how many there are.
    mutating func press(_ key: Key, page: Int, count: Int) -> Wish? {
        switch key {
        case .up, .character("k"): return move(to: cursor - 1, page, count)
        case .down, .character("j"): return move(to: cursor + 1, page, count)
        case .pageUp: return move(to: cursor - page, page, count)
        case .pageDown: return move(to: cursor + page, page, count)
        case .first, .character("g"): return move(to: 0, page, count)
        case .last, .character("G"): return move(to: count - 1, page, count)
        case .character(" "):
            isFollowing = false
            return .toggle
        case .character("x"):
            isFollowing = false
            return .cancel
        case .character("q"):
            isQuitting = true
            return .quit
        case .repaint: return .repaint
        case .character: return nil
        }
    }

    private mutating func move(to place: Int, _ page: Int, _ count: Int) -> Wish {
        isFollowing = false
        cursor = max(0, min(place, count - 1))
        selected = nil
        scroll(page, count)
        return .move
    }

    /// Keeps the cursor in sight, and no empty rows below the last.
    private mutating func scroll(_ page: Int, _ count: Int) {
        if cursor < top { top = cursor }
        if cursor >= top + page { top = cursor - page + 1 }
        top = max(0, min(top, count - page))
    }

    /// Fits to the rows that are there now.
    ///
    /// True when `top` is another: look again.
    mutating func fit(page: Int, count: Int) -> Bool {
        let before = top
        cursor = max(0, min(cursor, count - 1))
        if selected == nil || isFollowing { scroll(page, count) } else { top = max(0, min(top, count - page)) }
        return top != before
    }

    /// Finds the selection among the rows in sight, which begin at `top`.
    mutating func settle(_ rows: [Row]) {
        if selected == nil || isFollowing {
            let place = isFollowing ? 0 : cursor - top
            selected = rows.indices.contains(place) ? rows[place].id : nil
            cursor = top + max(0, place)
        } else if let place = rows.firstIndex(where: { $0.id == selected }) {
            cursor = top + place
        }
    }

    /// The command that a wish is, given the selected task as it is now; nil when there is nothing to do.
    static func command(_ wish: Wish, _ row: Row?) -> RunCommand? {
        if wish == .quit { return .quit(reason: "user") }
        guard let row, row.outcome == nil, row.state != .canceling else { return nil }
        return switch wish {
        case .toggle: row.group == .paused ? .resume(row.id) : .suspend(row.id)
        case .cancel: .cancel(row.id)
        case .move, .quit, .repaint: nil
        }
    }
}
#endif
