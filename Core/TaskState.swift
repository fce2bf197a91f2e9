/// The four states of the URL Loading System.
public enum TaskState: String, Sendable, CaseIterable {
    /// Has not begun, or stopped for a while.
    case suspended
    /// Runs, also while it waits for the next attempt.
    case running
    /// The end was asked for and is not there yet.
    case canceling
    /// Over, whatever came of it.
    case completed
}
