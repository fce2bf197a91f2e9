/// How calls reach an indicator.
enum Delivery: Sendable {
    case inline(@Sendable (IndicatorCall) -> Void)
    case main(@MainActor (IndicatorCall) -> Void)
    case actor(@isolated(any) @Sendable (IndicatorCalls) async -> Void)

    enum Place { case anywhere, main, actor }

    /// Where the calls are made.
    var place: Place {
        switch self {
        case .inline: .anywhere
        case .main: .main
        case .actor: .actor
        }
    }
}

/// Whom the calls are for.
struct Audience: Sendable {
    let delivery: Delivery
    let followsProgress: Bool
}
