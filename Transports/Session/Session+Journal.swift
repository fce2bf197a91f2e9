import Glibc
import WhirlCore

extension Session {
    /// Whether an earlier run has completed the task, and its file is still there.
    ///
    /// Where the file has got another name than the task is described by, its key alone has to do.
    func isDone(_ task: SessionTask, _ key: String) -> Bool {
        guard let isDone = configuration.isDone, !task.destination.isInPlace, isDone(key) else { return false }
        if task.destination.isServersToName || configuration.onExists == .rename { return true }
        var status = stat()
        guard unsafe stat(task.destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return task.request.size.map { $0 == Int64(status.st_size) } ?? true
    }
}
