import Synchronization
import WhirlCore

extension Session {
    /// What holds the bytes of a new exchange back; nil where nothing can.
    func throttle() -> Throttle? {
        guard let bucket else { return nil }
        let now = clock.now
        return Throttle(run: bucket, task: configuration.limitRatePerTask.map { TokenBucket(rate: $0, now: now) })
    }

    /// Another rate for the run; nil: any.
    func setRate(_ rate: Int64?) {
        guard let bucket else { return }
        bucket.set(rate: rate.map { max(1, $0) }, at: clock.now)
        for attempt in state.withLock({ $0.entries.values.compactMap(\.attempt) }) { attempt.rateChanged() }
    }
}
