/// A finer word than the state, for showing.
public enum TaskPhase: String, Sendable, CaseIterable {
    /// Waits for a slot.
    case queued
    /// On the way to a connection.
    case resolving, connecting, tls
    /// The request is sent; the answer is not there yet.
    case waiting
    /// The body moves.
    case receiving, sending
    /// All bytes are there and are being checked or put in place.
    case verifying
    /// Waits for the next attempt.
    case backoff
    /// Suspended by someone, not for want of a slot.
    case paused
}
