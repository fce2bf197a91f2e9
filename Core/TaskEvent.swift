/// What happened to a task.
///
/// The same value reaches observers in the process, the JSON Lines stream and replay. Every event but `progress` is a
/// step of the task's life: none is dropped or merged, and the snapshot's ordinal counts them.
public enum TaskEvent: Equatable, Sendable {
    /// The task runs: it has a slot.
    case resumed
    /// A new try begins; its number and offset are in the snapshot.
    case attempt
    /// The server sent the task elsewhere; `url` is redacted.
    indirect case redirected(status: Int, url: String)
    /// More bytes, a total, or another phase. Only the newest of several in a row is kept for a slow observer.
    case progress
    /// The task stopped for a while.
    indirect case suspended(reason: String)
    /// The end was asked for.
    case canceling
    /// The attempt failed with this error; another begins after `delay` seconds.
    indirect case retrying(delay: Double, error: TransferError)
    /// The bytes in hand were thrown away; the transfer goes on at the snapshot's offset. Comes before any lower number.
    indirect case restarted(reason: String)
    /// The one terminal event.
    indirect case ended(TaskOutcome)
}
