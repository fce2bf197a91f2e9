import Testing
import WhirlConformance
import WhirlCore

/// Checks a promise; one that is broken becomes an issue at the line that saw it.
func judge<Subject>(_ promise: Promise<Subject>, _ subject: Subject) async throws {
    do {
        try await promise.check(subject)
    } catch let broken as BrokenPromise {
        let location = SourceLocation(fileID: broken.fileID, filePath: broken.filePath, line: broken.line, column: 1)
        Issue.record("\(promise.id): \(promise.sentence): \(broken.what)", sourceLocation: location)
    } catch let reason as PromiseNotJudged {
        try Test.cancel("\(reason)")
    }
}

/// Shows the test as skipped, with the reason, when the subject can't do what the promise is about.
func skipUnlessApplies(_ promise: Promise<TransportSubject>, _ subject: TransportSubject) throws {
    let missing = promise.needs.subtracting(subject.capabilities)
    if !missing.isEmpty { try Test.cancel("\(subject.name) can't: \(missing)") }
}
