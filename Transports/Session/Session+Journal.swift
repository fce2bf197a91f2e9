import Glibc
import WhirlCore

extension Session {
    /// Whether an earlier run has completed the task, and its file is still there.
    ///
    /// Where the file has got another name than the task is described by, its key alone has to do.
    func isDone(_ task: SessionTask, _ key: String) -> Bool {
        Self.isDone(task.request, task.destination, key, configuration)
    }

    /// The same, for who only looks.
    static func isDone(
        _ request: TransferRequest, _ destination: Destination, _ key: String, _ configuration: SessionConfiguration
    ) -> Bool {
        guard let isDone = configuration.isDone, !destination.isInPlace, isDone(key) else { return false }
        if destination.isServersToName || configuration.onExists == .rename { return true }
        var status = stat()
        guard unsafe stat(destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return request.size.map { $0 == Int64(status.st_size) } ?? true
    }
}
