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
        case .noTerminal(let path): "there is no terminal here (\(path) can't be opened)"
        case .noType: "the environment variable TERM is not set"
        case .unknownType(let name): "no description of a terminal of type \(name) is installed (TERM)"
        case .immovable(let name): "a terminal of type \(name) (TERM) can't move its cursor"
        case .inBackground: "the command runs in the background of its terminal"
        case .taken: "another dashboard of this process has the terminal"
        case .noRoom: "the process has no descriptors or threads left"
        }
    }
}
#endif
