package import WhirlCore

extension TaskEvent {
    /// The snapshot's bytes in hand are those to begin with: none of them was moved just now.
    package var isBeginning: Bool {
        switch self {
        case .attempt, .restarted: true
        default: false
        }
    }
}
