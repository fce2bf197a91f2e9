/// What may happen to a task: every change of a snapshot is one of these.
enum TaskMove {
    case resume
    case suspend(reason: String)
    case cancel
    case attempt(offset: Int64)
    case redirect(status: Int, url: String)
    case report(received: Int64, total: Int64?, phase: TaskPhase)
    case phase(TaskPhase)
    case retry(delay: Double, error: TransferError)
    case restart(offset: Int64, reason: String)
    case end(TaskOutcome)
}
