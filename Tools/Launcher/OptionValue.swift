/// A checked value of an option.
enum OptionValue: Equatable, Sendable, CustomStringConvertible {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    /// One that is read when it is needed.
    case secret(SecretSource)

    /// As it would be typed.
    var description: String {
        switch self {
        case .flag(let isOn): isOn ? "true" : "false"
        case .integer(let number): "\(number)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text
        case .secret: "not read yet"
        }
    }
}
