/// The calls due on one indicator.
///
/// Iterate it to its end on the indicator's own actor, without suspending in between. What does not fit into one turn
/// comes in another.
public struct IndicatorCalls: Sequence, IteratorProtocol, Sendable {
    let relay: IndicatorRelay

    /// The next call, looked up when it is about to be made: an older task's is gone.
    public func next() -> IndicatorCall? { relay.nextOnActor() }
}
