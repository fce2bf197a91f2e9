#if NCurses
import CWhirlNCurses
import Glibc
import WhirlBoard

/// A terminal that a screen can be drawn on.
struct TerminalType: Sendable {
    /// The name of its description.
    var name: String
    var glyphs: Glyphs

    /// Terminals that behave like xterm, whose own descriptions are often not installed.
    private static let family = ["xterm", "alacritty", "foot", "kitty", "wezterm", "ghostty", "rio"]

    /// Looks whether a screen can be drawn there, and leaves no trace.
    init(_ settings: DashboardSettings) throws(ScreenFault) {
        let descriptor = unsafe open(settings.path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0, isatty(descriptor) == 1 else {
            if descriptor >= 0 { close(descriptor) }
            throw .noTerminal(settings.path)
        }
        let owner = tcgetpgrp(descriptor)
        close(descriptor)
        guard let type = settings.type, !type.isEmpty else { throw .noType }
        name = try Self.known(type)
        guard owner < 0 || owner == getpgrp() else { throw .inBackground }
        glyphs = Self.showsUnicode() ? .unicode(Columns { Int(whirl_width($0.value)) }) : .ascii
    }

    /// Whether the terminal is this process's to draw on; true where nobody can tell.
    static func isInForeground(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        let owner = tcgetpgrp(descriptor)
        return owner < 0 || owner == getpgrp()
    }

    private static func known(_ type: String) throws(ScreenFault) -> String {
        switch unsafe whirl_terminal_type(type) {
        case 1: return type
        case -1: throw .immovable(type)
        default:
            let isFamily = family.contains { type.hasPrefix($0) }
            guard isFamily, unsafe whirl_terminal_type("xterm-256color") == 1 else { throw .unknownType(type) }
            return "xterm-256color"
        }
    }

    /// Sets the locale's character type, which ncurses goes by, and says whether it is UTF-8 with blocks of one column.
    ///
    /// A locale that is named and not installed, or no name at all (containers, cron), gives C.UTF-8; `C` stays ASCII.
    private static func showsUnicode() -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].map { (name: String) in
            unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
        }
        let name = names.first { !$0.isEmpty }
        if unsafe name == nil || setlocale(LC_CTYPE, "") == nil {
            let isUTF8 = name.map { $0.lowercased().contains("utf") } ?? true
            unsafe setlocale(LC_CTYPE, isUTF8 ? "C.UTF-8" : "C")
        }
        guard let codeset = unsafe nl_langinfo(nl_item(CODESET)) else { return false }
        return unsafe String(cString: codeset) == "UTF-8" && whirl_width(0x2588) == 1
    }
}
#endif
