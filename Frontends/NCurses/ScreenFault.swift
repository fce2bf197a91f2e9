#if NCurses
/// Why there can be no screen.
enum ScreenFault: Error, Equatable {
    case noTerminal(String)
    case noType
    case unknownType(String)
    case immovable(String)
    case inBackground
    case taken
    case noRoom

    /// A sentence for people.
    var sentence: String {
        switch self {
        case .noTerminal(let path): "there is no terminal here (\(path) can't be opened); use -f log"
        case .noType: "the environment variable TERM is not set; set it, or use -f log"
        case .unknownType(let name): "no description of a terminal of type \(name) is installed (TERM); use -f log"
        case .immovable(let name): "a terminal of type \(name) (TERM) can't move its cursor; use -f log"
        case .inBackground: "the command runs in the background of its terminal; use -f log"
        case .taken: "another dashboard of this process has the terminal; use another frontend"
        case .noRoom: "the process has no descriptors or threads left; raise ulimit -n and -u"
        }
    }
}
#endif
