/// Where a value came from.
enum Origin: Equatable, Sendable, CustomStringConvertible {
    /// As it was typed: `-j` or `--jobs`.
    case flag(String)
    case variable(String)
    /// Line and column count from 1.
    case file(path: String, line: Int, column: Int, key: String)
    /// Nobody said anything.
    case preset

    /// The same without the key.
    var place: String {
        guard case .file(let path, let line, let column, _) = self else { return description }
        return "\(path):\(line):\(column)"
    }

    var description: String {
        switch self {
        case .flag(let flag): flag
        case .variable(let name): name
        case .file(let path, let line, let column, let key): "\(path):\(line):\(column): \(key)"
        case .preset: "default"
        }
    }
}
