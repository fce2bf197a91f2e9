#if URLSession
import Foundation

/// Calls the delegate where FoundationNetworking asks for it: inside libcurl's callback, on its own serial queue.
///
/// A real queue takes all that the network gives and keeps it until a slow delegate gets round to it. Without one a slow
/// delegate is felt by the server instead, and memory stays flat. In return no callback may call `cancel()` or anything else
/// that waits for the queue it runs on.
final class InlineDelegateQueue: OperationQueue, @unchecked Sendable {
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
