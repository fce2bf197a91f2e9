#if NCurses
import WhirlBoard
import WhirlCore

/// Where a person looks, and what their keys mean: pure, so that every key has a test.
///
/// The selection is a task, not a place: rows move while people aim, and a key must never hit another task than the one
/// they saw.
struct Browser: Equatable, Sendable {
    /// What fills the screen between its first and last line.
    enum Pane: Equatable, Sendable { case list, details, help }

    /// How much there is to move in.
    struct Extent: Equatable, Sendable {
        /// How many rows, or lines of the pane, are in sight.
        var page: Int
        /// How many rows there are.
        var count: Int
        /// How many lines the pane has that covers the list.
        var lines = 0
        /// How many tasks have not ended.
        var unfinished = 1
        /// Whether the log is in sight.
        var showsLog = false
    }

    /// The first row in sight.
    private(set) var top = 0
    /// Where the selection was seen last.
    private(set) var cursor = 0
    /// The task that keys act on; nil right after a move, until `settle`.
    private(set) var selected: TaskID?
    /// Until somebody moves or acts, the selection stays with the first row.
    private(set) var isFollowing = true
    private(set) var pane = Pane.list
    /// The first line in sight of the pane that covers the list.
    private(set) var scroll = 0
    private(set) var query = RowQuery()
    /// Keys are letters of the filter.
    private(set) var isTyping = false
    /// Whether to show the log; nil: as the height has it.
    private(set) var showsLog: Bool?
    /// The next `q` quits.
    private(set) var isAsking = false
    private(set) var isQuitting = false
    private(set) var isDraining = false

    /// Takes a key; nil when it means nothing.
    mutating func press(_ key: Key, _ extent: Extent) -> Wish? {
        if key == .repaint { return .repaint }
        if isAsking { return answer(key) }
        if isTyping { return type(key, extent) }
        if pane != .list, let wish = turn(key, extent) { return wish }
        if pane == .list, let place = place(key, extent) { return move(to: place, extent) }
        return act(key, extent)
    }

    // MARK: places

    private func place(_ key: Key, _ extent: Extent) -> Int? {
        switch key {
        case .up, .character("k"): cursor - 1
        case .down, .character("j"): cursor + 1
        case .pageUp: cursor - extent.page
        case .pageDown: cursor + extent.page
        case .first, .character("g"): 0
        case .last, .character("G"): extent.count - 1
        default: nil
        }
    }

    private mutating func move(to place: Int, _ extent: Extent) -> Wish {
        isFollowing = false
        cursor = max(0, min(place, extent.count - 1))
        selected = nil
        scroll(extent.page, extent.count)
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

    /// Another query finds other rows: begins at the first.
    private mutating func search(_ change: (inout RowQuery) -> Void) -> Wish {
        change(&query)
        (top, cursor, selected, isFollowing) = (0, 0, nil, true)
        return .move
    }

    // MARK: the pane that covers the list

    /// A key that moves in the pane or closes it.
    private mutating func turn(_ key: Key, _ extent: Extent) -> Wish? {
        switch key {
        case .up, .character("k"): scroll -= 1
        case .down, .character("j"): scroll += 1
        case .pageUp: scroll -= extent.page
        case .pageDown: scroll += extent.page
        case .first, .character("g"): scroll = 0
        case .last, .character("G"): scroll = extent.lines
        case .escape, .enter, .character("q"), .character("?"): return show(.list)
        default: return nil
        }
        scroll = max(0, min(scroll, extent.lines - extent.page))
        return .show
    }

    private mutating func show(_ pane: Pane) -> Wish {
        self.pane = pane
        scroll = 0
        if pane == .details { isFollowing = false }
        return .show
    }

    // MARK: letters

    private mutating func answer(_ key: Key) -> Wish {
        isAsking = false
        switch key {
        case .character("q"), .character("y"), .enter: return quit()
        case .character("Q"): return drain()
        default: return .show
        }
    }

    private mutating func type(_ key: Key, _ extent: Extent) -> Wish {
        switch key {
        case .character(let letter): return search { $0.text.append(letter) }
        case .backspace:
            if query.text.isEmpty { isTyping = false }
            return search { $0.text = String($0.text.dropLast()) }
        case .escape:
            isTyping = false
            return search { $0.text = "" }
        case .enter, .repaint:
            isTyping = false
            return .show
        case .up, .down, .pageUp, .pageDown, .first, .last:
            return move(to: place(key, extent) ?? cursor, extent)
        }
    }

    private mutating func act(_ key: Key, _ extent: Extent) -> Wish? {
        switch key {
        case .character(" "), .character("p"): return act(.toggle)
        case .character("x"): return act(.cancel)
        case .character("r"): return act(.retry)
        case .character("R"): return .retryAll
        case .character("P"): return .toggleAll
        case .character("+"), .character("="): return .jobs(1)
        case .character("-"): return .jobs(-1)
        case .character("Q"): return drain()
        case .character("q"): return quit(unlessAsked: extent.unfinished > 0)
        case .character("?"): return show(.help)
        case .enter: return extent.count > 0 || pane != .list ? show(.details) : nil
        case .character("l"):
            showsLog = !extent.showsLog
            return .move
        case .character("e"): return search { $0.isOnlyErrors.toggle() }
        case .character("s"): return search { $0.order = $0.order.next }
        case .character("/"):
            isTyping = true
            pane = .list
            return .show
        case .escape: return query == RowQuery() ? nil : search { $0 = RowQuery() }
        default: return nil
        }
    }

    /// Acting on a task holds on to it.
    private mutating func act(_ wish: Wish) -> Wish {
        isFollowing = false
        return wish
    }

    private mutating func drain() -> Wish {
        isDraining = true
        return .drain
    }

    private mutating func quit(unlessAsked mustAsk: Bool = false) -> Wish {
        guard !mustAsk || isQuitting else {
            isAsking = true
            return .show
        }
        isQuitting = true
        return .quit
    }
}

extension RowQuery.Order {
    /// The one after it; the first after the last.
    fileprivate var next: Self {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}
#endif
