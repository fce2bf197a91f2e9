#if NCurses
import WhirlBoard

/// The last line of a screen: a question, an answer, or the keys.
struct Footer {
    let model: DashboardModel
    let width: Int
    let glyphs: Glyphs

    private var browser: Browser { model.browser }

    var line: StyledLine {
        let place = self.place
        let room = max(0, width - place.utf8.count)
        if let text = question { return [StyledText(glyphs.left(text, width), .bold)] }
        if browser.isTyping { return typing(room) + [StyledText(place, .dim)] }
        if let message = model.message {
            let mark = message.isWarning ? " ! " : " "
            let style = message.isWarning ? Style.warning : .bold
            return [StyledText(glyphs.left(mark + message.text, room), style), StyledText(place, .dim)]
        }
        if let text = state(room) { return [StyledText(glyphs.left(text, room) + place, .bold)] }
        return filled(chips + keys, room) + [StyledText(place, .dim)]
    }

    /// Where the selection is, or the lines of the pane.
    private var place: String {
        guard model.browser.pane == .list, model.count > 0 else { return "" }
        return " \(min(browser.cursor, model.count - 1) + 1)/\(model.count) "
    }

    private var question: String? {
        guard browser.isAsking else { return nil }
        let open = model.totals.created - model.totals.ended
        if width < 46 { return " quit? q yes, Q drain, else no" }
        if width < 76 { return " quit? \(open) not done: q yes, Q drain, else no" }
        return " quit? \(open) not done: q quits, Q lets what runs end, any other key stays"
    }

    private func state(_ room: Int) -> String? {
        if browser.isQuitting { return " quitting" + glyphs.ellipsis }
        if browser.pane == .list, let distant = model.distant {
            let word = distant.outcome == nil ? distant.group == .paused ? "paused" : "out of sight" : "ended"
            let text = glyphs.selected + " " + word + ": "
            return text + glyphs.fit(distant.name, max(0, room - glyphs.columns(text)))
        }
        if browser.isDraining {
            return " draining: \(model.totals.active) may end, nothing more starts" + (width < 70 ? "" : "   q quits")
        }
        return nil
    }

    private func typing(_ room: Int) -> StyledLine {
        let text = " /" + browser.query.text + glyphs.caret
        return [StyledText(glyphs.fit(text, min(room, glyphs.columns(text))), .bold)]
            + filled([("Enter", "keep"), ("Esc", "all")], max(0, room - glyphs.columns(text)))
    }

    // MARK: keys

    private typealias Hint = (key: String, text: String)

    /// What the list is restricted to, and how it is sorted.
    private var chips: [Hint] {
        guard browser.pane == .list else { return [] }
        var chips: [Hint] = []
        if !browser.query.text.isEmpty { chips.append(("/", glyphs.fitted(browser.query.text, 20))) }
        if browser.query.isOnlyErrors { chips.append(("e", "errors only")) }
        if browser.query.order != .state { chips.append(("s", "by " + browser.query.order.rawValue)) }
        return chips.isEmpty ? [] : chips + [("Esc", "all")]
    }

    /// The most useful first: as many as there is room for.
    private var keys: [Hint] {
        if browser.pane != .list {
            let acts: [Hint] = browser.pane == .details ? [("space", "pause"), ("x", "cancel"), ("r", "retry")] : []
            return [("Esc", "back"), ("j k", "scroll")] + acts
        }
        let retry: [Hint] = model.totals.failed > 0 ? [("r", "retry"), ("e", "errors")] : []
        let most: [Hint] = [("q", "quit"), ("?", "help"), ("space", "pause"), ("x", "cancel")]
        return most + retry + [("Enter", "details"), ("/", "find"), ("s", "sort"), ("l", "log"), ("P", "pause all")]
    }

    /// Exactly `room` columns of hints.
    private func filled(_ hints: [Hint], _ room: Int) -> StyledLine {
        var line: StyledLine = []
        var taken = 0
        for hint in hints {
            let columns = glyphs.columns(hint.key) + glyphs.columns(hint.text) + 2 + (taken > 0 ? 1 : 0)
            guard taken + columns <= room else { break }
            line.append(StyledText((taken > 0 ? "  " : " ") + hint.key, .bold))
            line.append(StyledText(" " + hint.text, .dim))
            taken += columns
        }
        line.append(StyledText(String(repeating: " ", count: max(0, room - taken)), .dim))
        return line
    }
}
#endif
