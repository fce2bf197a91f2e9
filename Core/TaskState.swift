/// The four states of the URL Loading System.
public enum TaskState: String, Sendable {
    case suspended, running, canceling, completed
}

/// A finer word than the state, for showing.
public enum TaskPhase: String, Sendable, CaseIterable {
    /// Waits for a slot.
    case queued
    case resolving, connecting, tls
    /// The request is sent; the answer is not there yet.
    case waiting
    case receiving, sending
    /// All bytes are there and are being checked or put in place.
    case verifying
    /// Waits for the next attempt.
    case backoff
    /// Suspended by someone, not for want of a slot.
    case paused
}
