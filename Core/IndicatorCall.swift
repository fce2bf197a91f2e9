/// One thing to do to an indicator.
public enum IndicatorCall: Equatable, Sendable {
    case start, stop
    case progress(TransferProgress)
}

extension IndicatorCall: Coalescing {
    var isProgress: Bool { if case .progress = self { true } else { false } }
}

/// The calls due on one indicator.
///
/// Iterate it on the indicator's own actor, without suspending in between.
public struct IndicatorCalls: Sequence, IteratorProtocol, Sendable {
    let relay: IndicatorRelay

    /// The next call, looked up when it is about to be made: an older task's is gone.
    public func next() -> IndicatorCall? { relay.nextOnActor() }
}
