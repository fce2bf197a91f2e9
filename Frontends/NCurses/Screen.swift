#if NCurses
import CWhirlNCurses
import Glibc

/// The terminal under ncurses.
///
/// Debian's ncurses is not reentrant: the value is made, used and closed on one thread.
@safe struct Screen {
    private let screen: OpaquePointer
    private let file: UnsafeMutablePointer<FILE>
    private let usesColor: Bool
    private var drawn: [StyledLine] = []

    /// The terminal's descriptor.
    let descriptor: Int32
    /// The terminal's modes before.
    let modes: termios

    /// The size now: at least 1 by 1.
    private(set) var size = ScreenSize(columns: 80, rows: 24)

    /// Shows an empty screen; the text says why there can be none.
    init(_ settings: DashboardSettings, _ terminal: TerminalType) throws(ScreenFault) {
        descriptor = unsafe open(settings.path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0, let file = unsafe fdopen(descriptor, "r+") else { throw .noTerminal(settings.path) }
        unsafe self.file = unsafe file
        var modes = termios()
        unsafe tcgetattr(descriptor, &modes)
        self.modes = modes
        // The size is the kernel's: exported LINES and COLUMNS are often stale.
        use_env(false)
        use_tioctl(true)
        // Never initscr, which ends the process for a terminal it does not know.
        guard let screen = unsafe newterm(terminal.name, file, file) else {
            unsafe fclose(file)
            throw .unknownType(terminal.name)
        }
        unsafe self.screen = unsafe screen
        unsafe set_term(screen)
        usesColor = settings.usesColor && has_colors()
        setModes()
        resize()
    }

    private func setModes() {
        let window = unsafe whirl_window()
        cbreak()
        noecho()
        nonl()
        unsafe keypad(window, true)
        unsafe nodelay(window, true)
        unsafe leaveok(window, true)
        curs_set(0)
        set_escdelay(25)
        guard usesColor else { return }
        start_color()
        use_default_colors()
        for (index, color) in [COLOR_CYAN, COLOR_GREEN, COLOR_YELLOW, COLOR_RED].enumerated() {
            init_pair(Int16(index + 1), Int16(color), -1)
        }
    }

    /// Takes the terminal's size from the kernel; 0 by 0, as some ptys have it, is 80 by 24.
    mutating func resize() {
        var window = winsize()
        _ = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window)
        let isKnown = window.ws_row > 0 && window.ws_col > 0
        size =
            isKnown
            ? ScreenSize(columns: Int(window.ws_col), rows: Int(window.ws_row)) : ScreenSize(columns: 80, rows: 24)
        if unsafe getmaxy(whirl_window()) != size.rows || getmaxx(whirl_window()) != size.columns {
            resizeterm(Int32(size.rows), Int32(size.columns))
        }
        drawn = []
    }

    /// Shows the lines; false, without a byte, when they are those that are shown.
    mutating func draw(_ lines: [StyledLine]) -> Bool {
        guard lines != drawn else { return false }
        return Rescue.draw {
            let window = unsafe whirl_window()
            for row in 0..<size.rows {
                let line = row < lines.count ? lines[row] : []
                if row < drawn.count, drawn[row] == line { continue }
                unsafe draw(line, row, window)
            }
            drawn = lines
            unsafe wnoutrefresh(window)
            doupdate()
        }
    }

    private func draw(_ line: StyledLine, _ row: Int, _ window: UnsafeMutablePointer<WINDOW>?) {
        unsafe wmove(window, Int32(row), 0)
        var left = size.columns
        for part in line where left > 0 {
            let (attributes, pair) = look(part.style)
            unsafe wattr_set(window, attributes, pair, nil)
            var (text, columns) = Printable.cut(part.text, to: left)
            left -= columns
            text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) {
                    _ = unsafe waddnstr(window, $0.baseAddress, Int32($0.count))
                }
            }
        }
        unsafe wattr_set(window, attr_t(0), 0, nil)
        if left > 0 { unsafe wclrtoeol(window) }
    }

    private func look(_ style: Style) -> (attr_t, Int16) {
        switch style {
        case .plain: (0, 0)
        case .bold: (whirl_bold(), 0)
        case .dim: (whirl_dim(), 0)
        case .reverse: (whirl_reverse(), 0)
        case .running: (0, usesColor ? 1 : 0)
        case .good: (0, usesColor ? 2 : 0)
        case .warning: (0, usesColor ? 3 : 0)
        case .bad: (whirl_bold(), usesColor ? 4 : 0)
        case .alarm: (whirl_bold() | whirl_reverse(), usesColor ? 4 : 0)
        }
    }

    /// Draws everything anew with the next frame: something else may have written to the terminal.
    mutating func forget() {
        drawn = []
        unsafe clearok(whirl_window(), true)
    }

    /// The keys pressed since; at most 256.
    func keys() -> [Key] {
        var keys: [Key] = []
        for _ in 0..<256 {
            var code = wint_t()
            let result = unsafe wget_wch(whirl_window(), &code)
            if result == ERR { break }
            let key = result == KEY_CODE_YES ? Self.function(Int32(bitPattern: code)) : Self.character(code)
            if let key { keys.append(key) }
        }
        return keys
    }

    private static func character(_ code: wint_t) -> Key? {
        switch code {
        case 8, 127: return .backspace
        case 10, 13: return .enter
        case 12: return .repaint
        case 27: return .escape
        default:
            guard code >= 32, code != 127, let scalar = Unicode.Scalar(code) else { return nil }
            return .character(Character(scalar))
        }
    }

    private static func function(_ code: Int32) -> Key? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME: .first
        case KEY_END: .last
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        default: nil
        }
    }

    /// Whether the process may draw: a shell may have taken the terminal.
    ///
    /// A terminal that is not the process's own has no such question.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group == getpgrp() || group < 0
    }

    /// Shows the main screen, with the terminal's modes as before.
    func leave() {
        if Self.capability("rmcup").isEmpty {
            // There is one screen only: what follows begins on its last line.
            unsafe wmove(whirl_window(), Int32(size.rows - 1), 0)
            unsafe wclrtoeol(whirl_window())
            unsafe wrefresh(whirl_window())
        }
        endwin()
    }

    /// What leaves the screen without ncurses' help: attributes off, keys and cursor as before, the main screen.
    var farewell: [UInt8] {
        var bytes: [UInt8] = []
        for name in ["sgr0", "rmkx", "cnorm"] { bytes += Self.capability(name) }
        let leave = Self.capability("rmcup")
        return bytes + (leave.isEmpty ? Array("\r\n".utf8) : leave)
    }

    /// A capability's bytes without its padding (`$<5>`), which only slow lines of long ago need.
    private static func capability(_ name: String) -> [UInt8] {
        guard let text = unsafe whirl_capability(name) else { return [] }
        let parts = unsafe String(cString: text).split(separator: "$<", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() { bytes += part.drop { $0 != ">" }.dropFirst().utf8 }
        return bytes
    }

    /// Frees what it holds; the screen has been left.
    func close() {
        unsafe delscreen(screen)
        unsafe fclose(file)
    }
}
#endif
