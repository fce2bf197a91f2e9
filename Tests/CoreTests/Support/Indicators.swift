import Synchronization
import WhirlCore

/// Called on the thread that makes the event; remembers its calls and notices when two overlap.
final class Row: ActivityIndicator, Sendable {
    let binding = IndicatorBinding()
    let calls = Record<IndicatorCall>()
    let overlaps = Counter()
    private let inside = Counter()
    private let onCall: (@Sendable (IndicatorCall) -> Void)?
    private let onRelease: (@Sendable () -> Void)?

    init(onCall: (@Sendable (IndicatorCall) -> Void)? = nil, onRelease: (@Sendable () -> Void)? = nil) {
        self.onCall = onCall
        self.onRelease = onRelease
    }

    deinit { onRelease?() }

    var isAnimating: Bool { calls.last == .start }

    func startAnimating() { note(.start) }
    func stopAnimating() { note(.stop) }

    private func note(_ call: IndicatorCall) {
        if inside.up() > 1 { overlaps.up() }
        calls.append(call)
        onCall?(call)
        inside.down()
    }
}

/// An indicator that is called inline and shows progress.
final class Bar: ProgressIndicator, Sendable {
    let binding = IndicatorBinding()
    let calls = Record<IndicatorCall>()
    private let onShow: (@Sendable (TransferProgress) -> Void)?

    init(onShow: (@Sendable (TransferProgress) -> Void)? = nil) { self.onShow = onShow }

    var shown: [TransferProgress] { calls.all.compactMap(\.progress) }

    func startAnimating() { calls.append(.start) }
    func stopAnimating() { calls.append(.stop) }
    func show(_ progress: TransferProgress) {
        calls.append(.progress(progress))
        onShow?(progress)
    }
}

/// An indicator of the main actor; every call checks where it is made.
@MainActor final class Spinner: @MainActor ActivityIndicator {
    let binding = IndicatorBinding()
    let calls = Record<IndicatorCall>()
    var onCall: ((IndicatorCall) -> Void)?
    private let onRelease: (@Sendable () -> Void)?

    init(onRelease: (@Sendable () -> Void)? = nil) { self.onRelease = onRelease }

    deinit { onRelease?() }

    var isAnimating: Bool { calls.last == .start }

    func startAnimating() { note(.start) }
    func stopAnimating() { note(.stop) }

    private func note(_ call: IndicatorCall) {
        MainActor.preconditionIsolated()
        calls.append(call)
        onCall?(call)
    }
}

/// An indicator of the main actor that shows progress.
@MainActor final class MainBar: @MainActor ProgressIndicator {
    let binding = IndicatorBinding()
    let calls = Record<IndicatorCall>()

    func startAnimating() { calls.append(.start) }
    func stopAnimating() { calls.append(.stop) }
    func show(_ progress: TransferProgress) { calls.append(.progress(progress)) }
}

/// A global actor that is not the main one.
@globalActor actor Other { static let shared = Other() }

/// An indicator of a global actor.
@Other final class OtherSpinner {
    let binding = IndicatorBinding()
    let calls = Record<IndicatorCall>()

    func setAnimating(withStateOf task: (any TransferTask)?) {
        binding.follow(task) { @Other [weak self] calls in
            for call in calls { self?.calls.append(call) }
        }
    }
}

/// An actor that is its own indicator.
actor Panel {
    let binding = IndicatorBinding()
    let calls = Record<IndicatorCall>()

    func setAnimating(withStateOf task: (any TransferTask)?) {
        binding.follow(task) { [weak self] calls in await self?.perform(calls) }
    }

    private func perform(_ due: IndicatorCalls) {
        for call in due { calls.append(call) }
    }
}

extension IndicatorCall {
    var progress: TransferProgress? { if case .progress(let progress) = self { progress } else { nil } }
}

extension Sequence<IndicatorCall> {
    /// True when no call is followed by the same.
    var alternates: Bool { zip(self, dropFirst()).allSatisfy { $0 != $1 } }
}

/// Lets what is queued on the main actor run, as far as that is known; never waits for time to pass.
@MainActor func passTurns(_ count: Int = 20) async {
    for _ in 0..<count { await Task.detached(priority: .high) { @MainActor in }.value }
}
