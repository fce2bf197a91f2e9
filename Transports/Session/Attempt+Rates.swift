import Synchronization
import WhirlCore

/// Bytes that wait for leave to pass.
extension Attempt {
    /// Whether so many bytes may pass now; if not, the transport is told when they may.
    func mayPass(_ count: Int) -> Bool {
        let now = session.clock.now
        let verdict = state.withLock { $0.throttle?.judge(count, at: now) ?? .pass }
        switch verdict {
        case .pass: return true
        case .waitOn: return false
        case .wait(let instant):
            session.clock.schedule(at: instant) { [weak self] in self?.passAgain() }
            return false
        }
    }

    /// The run's rate has changed.
    func rateChanged() {
        state.withLock { $0.throttle?.forget() }
        passAgain()
    }

    /// Lets bytes pass that had to wait for leave; a paused exchange stays so.
    func passAgain() {
        let now = session.clock.now
        let exchange = state.withLock { state -> (any Exchange)? in
            guard !state.isPaused, let exchange = state.exchange, state.throttle?.mayGoOn(at: now) == true else {
                return nil
            }
            return exchange
        }
        exchange?.unpause()
    }
}
