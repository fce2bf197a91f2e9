/// Something that is started and stopped, such as a spinner.
///
/// - Bound with one call, `setAnimating(withStateOf:)`, it starts when the task resumes and stops when the task suspends
///   or ends.
/// - It is held weakly: dropping it ends the observation. It owns its binding, and the binding forgets the old task when
///   it is bound to another.
/// - Calls are serial and in order; what was due for an older task is dropped when the binding changes.
/// - Both must be idempotent and quick: anything slow belongs on an actor.
public protocol ActivityIndicator: AnyObject {
    /// The tie to a task: a stored `let binding = IndicatorBinding()`.
    var binding: IndicatorBinding { get }
    /// The task runs.
    func startAnimating()
    /// The task does not run.
    func stopAnimating()
}

/// An indicator that also shows how far the transfer is.
public protocol ProgressIndicator: ActivityIndicator {
    /// The newest progress: the first when bound, then each that differs; several in a row may be merged.
    func show(_ progress: TransferProgress)
}

extension ProgressIndicator where Self: Sendable {
    /// Follows `task`: animates while it runs, and not otherwise; nil forgets the task and stops.
    ///
    /// As for any indicator that may be called on every thread; that it shows progress need not be looked up.
    public func setAnimating(withStateOf task: (any TransferTask)?) {
        binding.follow(
            task?.life.core, true,
            .inline { [weak self] call in
                if case .progress(let progress) = call { self?.show(progress) } else { self?.perform(call) }
            })
        binding.deliver()
    }
}

extension ActivityIndicator where Self: Sendable {
    /// Follows `task`: animates while it runs, and not otherwise; nil forgets the task and stops.
    ///
    /// Calls come on the thread that makes the event. The first comes before this returns, unless a call of the
    /// indicator is under way: then right after that one.
    public func setAnimating(withStateOf task: (any TransferTask)?) {
        binding.follow(task?.life.core, isProgressIndicator, .inline { [weak self] in self?.perform($0) })
        binding.deliver()
    }
}

extension ActivityIndicator {
    /// Follows `task`: animates while it runs, and not otherwise; nil forgets the task and stops.
    ///
    /// Every call comes on the main actor. The first comes before this returns; from within one of the indicator's own
    /// calls, right after that one.
    @MainActor public func setAnimating(withStateOf task: (any TransferTask)?) {
        binding.follow(task?.life.core, isProgressIndicator, .main { @MainActor [weak self] in self?.perform($0) })
        binding.deliverOnMain()
    }

    // Asked of the object, not of its static type: a subclass may add the conformance.
    private var isProgressIndicator: Bool { self is any ProgressIndicator }

    fileprivate func perform(_ call: IndicatorCall) {
        switch call {
        case .start: startAnimating()
        case .stop: stopAnimating()
        case .progress(let progress): (self as? any ProgressIndicator)?.show(progress)
        }
    }
}
