import Glibc
public import WhirlCore

/// Says what a session would do with requests, from what is on the disk; touches nothing and asks nobody.
///
/// A file that is to have a digest is read. What depends on the server stays open: that it has a file at all, that it
/// proves bytes in hand to be of the same one, which name it gives it.
public struct Preview: Sendable {
    private let configuration: SessionConfiguration
    private var claims = Claims()
    private var count = 0

    /// A preview of a session of that configuration.
    public init(_ configuration: SessionConfiguration) { self.configuration = configuration }

    /// What would become of the next request.
    public mutating func plan(_ request: TransferRequest) -> PlannedTask {
        count += 1
        do throws(TransferError) {
            let admitted = try RequestCheck.examine(request, index: request.number ?? count, configuration)
            let description = Session.describe(request, admitted.source, admitted.destination)
            do throws(TransferError) {
                try RequestCheck.claim(request, admitted.destination, &claims)
                let isDone = Session.isDone(request, admitted.destination, description.key, configuration)
                return PlannedTask(description, isDone ? .skip(reason: "journal") : try action(request, admitted))
            } catch {
                return PlannedTask(description, .fail(error.advised))
            }
        } catch {
            return refusal(request, error)
        }
    }

    /// The plan of a request that makes no sense; `error` says why.
    public func refusal(_ request: TransferRequest, _ error: TransferError) -> PlannedTask {
        let path = if case .path(let path) = request.destination { path } else { "" }
        return PlannedTask(Session.describe(request, nil, Destination(regular: path)), .fail(error))
    }

    private func action(
        _ request: TransferRequest, _ admitted: RequestCheck.Admission
    ) throws(TransferError) -> PlannedTask.Action {
        let there = ExistingFile(request, admitted.destination, admitted.source, configuration)
        switch there.fate {
        case .fetch: return try leftover(request, admitted)
        case .fetchUnlike: return .refresh
        case .end(let outcome): return Self.action(outcome)
        case .check:
            let outcome = there.checked()
            let isReplaced = configuration.refreshes && outcome.error?.code == .digestMismatch
            return isReplaced ? try leftover(request, admitted) : Self.action(outcome)
        }
    }

    private static func action(_ outcome: TaskOutcome) -> PlannedTask.Action {
        switch outcome {
        case .failed(let error): .fail(error.advised)
        case .skipped(let reason), .cancelled(let reason): .skip(reason: reason)
        case .completed: .skip(reason: "exists")
        }
    }

    private func leftover(
        _ request: TransferRequest, _ admitted: RequestCheck.Admission
    ) throws(TransferError) -> PlannedTask.Action {
        let destination = admitted.destination
        guard !destination.isInPlace else { return .fetch(restart: nil) }
        let leftover = try PartFile.peek(
            at: destination.collected, [admitted.source.exchange] + admitted.mirrors.map(\.exchange),
            configuration.resume, hasDigest: !request.digests.isEmpty)
        switch leftover {
        case .none: return .fetch(restart: nil)
        case .point(let point): return .resume(offset: point.offset, total: point.total)
        case .useless(let reason, line: _):
            if configuration.resume == .strict { return .fail(Attempt.changed(reason)) }
            return .fetch(restart: reason)
        }
    }
}
