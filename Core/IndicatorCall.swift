/// One thing to do to an indicator.
public enum IndicatorCall: Equatable, Sendable {
    /// The task runs, or does not.
    case start, stop
    /// The newest progress.
    case progress(TransferProgress)
}

extension IndicatorCall: Coalescing {
    var isProgress: Bool { if case .progress = self { true } else { false } }
}
