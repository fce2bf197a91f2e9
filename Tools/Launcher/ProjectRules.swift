import Glibc

/// What the file of a project may say: it comes with files of others, and is read because of where it lies.
///
/// So it can't open secrets, choose the way to servers, give commands, or reach out of its folder.
struct ProjectRules {
    /// The project's folder.
    let folder: String

    /// Why it may not set an option to that value; nil when it may.
    func refusal(of option: CommandOption, _ value: OptionValue) -> Sentence? {
        if let reservation = option.reservation {
            let other: Sentence = "set it in the user's file or with \(option.name.flag)"
            return "\(option.name.rawValue) is not for the file of a project, as \(reservation.rawValue); \(other)"
        }
        guard option.kind == .path || option.kind == .folder, case .text(let path) = value, path != "-" else {
            return nil
        }
        guard !path.hasPrefix("fd:") else {
            return "\(option.name.rawValue): a descriptor is for whoever starts whirl; give \(option.name.flag) there"
        }
        guard !path.hasPrefix("/"), !path.hasPrefix("~"), !path.split(separator: "/").contains(".."), isInside(path)
        else {
            return "\(option.name.rawValue): \(quoted(path)) leads out of the project's folder; \(Self.inside)"
        }
        return nil
    }

    private static let inside: Sentence = "a project's file may only name what is in it"

    /// Whether what is there of the path lies in the folder, through all links.
    private func isInside(_ path: String) -> Bool {
        guard let root = Self.real(folder) else { return true }
        var parts = path.split(separator: "/")[...]
        while true {
            let whole = ([Substring(folder)] + parts).joined(separator: "/")
            if let real = Self.real(whole) { return real == root || root == "/" || real.hasPrefix(root + "/") }
            // A link that leads nowhere yet would be followed by what is written there.
            guard !Self.isLink(whole), parts.popLast() != nil else { return false }
        }
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
