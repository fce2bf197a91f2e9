public import WhirlCore

/// One thing that must hold of any subject of a kind, as a sentence and as a check of it.
///
/// Nothing here belongs to a test framework: a suite, another package's suite or a command may run the checks.
public struct Promise<Subject: Sendable>: Sendable, Identifiable, CustomStringConvertible {
    /// A short name that stays.
    public let id: String
    /// What must hold.
    public let sentence: String
    /// What a subject must be able to do for it to apply.
    public let needs: Capabilities
    /// Whether it measures or changes the process as a whole, and so has to be checked in a process of its own.
    public let isProcessWide: Bool
    private let body: @Sendable (Subject) async throws -> Void
    private let place: (fileID: String, filePath: String, line: Int)

    /// A promise; `body` throws a `BrokenPromise` when the subject does not keep it.
    public init(
        _ id: String, _ sentence: String, needs: Capabilities = [], isProcessWide: Bool = false,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        body: @escaping @Sendable (Subject) async throws -> Void
    ) {
        place = (fileID, filePath, line)
        self.id = id
        self.sentence = sentence
        self.needs = needs
        self.isProcessWide = isProcessWide
        self.body = body
    }

    /// Checks it; throws a `BrokenPromise` when it is not kept.
    ///
    /// What a subject owes and never does would be waited for without end: after `limit` every wait is over, and the
    /// promise broken at the place of the wait. Throws a `PromiseNotJudged` where this machine lacks what it takes.
    public func check(_ subject: Subject, within limit: Duration = .seconds(100)) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await body(subject)
                return true
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            let isKept = try await group.next() ?? false
            group.cancelAll()
            guard !isKept else { return }
            // The waits are over now: the body may say at which it was.
            _ = try await group.next()
            throw BrokenPromise(
                what: "not kept within \(limit)", fileID: place.fileID, filePath: place.filePath, line: place.line)
        }
    }

    /// The name and the sentence.
    public var description: String { "\(id): \(sentence)" }
}

/// A promise that was not kept, and where that was seen.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// What was seen.
    public let what: String
    /// The place of the check, as `#fileID` has it.
    public let fileID: String
    /// The place of the check, as `#filePath` has it.
    public let filePath: String
    /// The line of the check.
    public let line: Int

    /// What was seen, and its place.
    public var description: String { "\(what) (\(fileID):\(line))" }
}

/// A promise that can be neither kept nor broken here.
public struct PromiseNotJudged: Error, CustomStringConvertible {
    /// Why.
    public let description: String

    init(_ why: String) { description = why }
}

/// Throws a `BrokenPromise` unless the condition holds.
func expect(
    _ condition: Bool, _ what: @autoclosure () -> String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line
) throws {
    guard !condition else { return }
    throw BrokenPromise(what: what(), fileID: fileID, filePath: filePath, line: line)
}

/// Throws a `BrokenPromise` that names both values unless they are equal.
func expectEqual<Value: Equatable>(
    _ found: Value, _ wanted: Value, _ what: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line
) throws {
    try expect(
        found == wanted, "\(what): \(found) instead of \(wanted)", fileID: fileID, filePath: filePath, line: line)
}
