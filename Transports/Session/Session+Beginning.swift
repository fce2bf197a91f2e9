import WhirlCore

extension Session {
    /// What a task has when it gets a slot.
    struct Beginning {
        let task: SessionTask
        var point: ResumePoint?
        var sink: (any ByteSink)?
        var marks: FileMarks?
        let isFollowed: Bool
        let hasBegun: Bool
        /// Which of the request's URLs is tried.
        var mirror: Int
        /// Why it is tried again; nil: it is not.
        let lastError: TransferError?
        let firstAttempt: UInt64?

        init(_ entry: SessionState.Entry) {
            task = entry.task
            point = entry.point
            sink = entry.sink
            marks = entry.marks
            isFollowed = entry.isFollowed
            hasBegun = entry.hasBegun
            mirror = entry.mirrors?.current ?? 0
            lastError = entry.isRetrying ? entry.lastError : nil
            firstAttempt = entry.firstAttempt
        }
    }
}
