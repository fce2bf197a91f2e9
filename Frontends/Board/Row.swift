public import WhirlCore

/// Where a row stands: rows are shown in this order.
public enum RowGroup: Int, CaseIterable, Sendable {
    /// Runs, back-off included; in the order of the first start.
    case active
    /// Waits for a slot; in the order of creation.
    case queued
    /// Suspended by someone.
    case paused
    /// Failed; the first failure first.
    case failed
    /// Completed, skipped or cancelled; the newest first.
    case done
}

/// One task as a frontend shows it.
public struct Row: Equatable, Sendable {
    /// The task.
    public let id: TaskID
    /// The destination's last path segment, or the URL of what has none, cleaned for a terminal.
    public var name: String
    /// Redacted and cleaned.
    public var url: String
    /// The URL's host and port, cleaned; empty when there is none.
    public var host: String
    /// Where it goes, cleaned: a path, `-` for the standard output; empty when there is none.
    public var destination = ""
    /// Where it stands.
    public var group = RowGroup.queued
    /// The task's state.
    public var state = TaskState.suspended
    /// A finer word for what it does.
    public var phase = TaskPhase.queued
    /// The try under way, from 1; 0 before the first.
    public var attempt = 0
    /// What its indicator was last told.
    public var isAnimating = false
    /// How far it is; a total that was exceeded is dropped.
    public var progress = TransferProgress()
    /// Bytes per second over the last 5 s of this attempt; 0 when stalled.
    public var speed = 0.0
    /// Seconds until done, renewed twice a second; nil when nobody can tell.
    public var remaining: Double?
    /// Seconds since the first slot, until now or the end; nil before.
    public var duration: Double?
    /// Seconds until the next attempt; nil unless it waits for one.
    public var delay: Double?
    /// Why the last attempt failed; nil when none did.
    public var error: TransferError?
    /// How the task ended; nil while it has not.
    public var outcome: TaskOutcome?

    /// A row of a task that has not begun.
    public init(id: TaskID, name: String, url: String, host: String = "") {
        self.id = id
        self.name = name
        self.url = url
        self.host = host
    }

    /// Takes the names from what the task is to do: cleans what comes from outside.
    mutating func name(by description: TaskDescription) {
        let path = description.destination
        // A request that was refused has no destination.
        let segment = path.lastSegment ?? description.url[...]
        name = clean(String(segment))
        url = clean(description.url)
        host = clean(hostOf(description.url))
        destination = clean(path)
    }

    /// The HTTP status of the last answer that ended an attempt; nil while there is none.
    public var status: Int? {
        switch outcome {
        case .completed(let completion): completion.status
        case .failed(let error): error.status
        default: error?.status
        }
    }
}

extension String {
    /// The last segment of a path that is not empty; nil when there is none.
    fileprivate var lastSegment: Substring? {
        guard let last = utf8.lastIndex(where: { $0 != 0x2F }) else { return nil }
        let start = utf8[...last].lastIndex(of: 0x2F).map { utf8.index(after: $0) } ?? startIndex
        return self[start..<utf8.index(after: last)]
    }
}

/// The host and port of an absolute URL, as written.
private func hostOf(_ url: String) -> String {
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return "" }
    let rest = bytes[bytes.index(after: colon)...]
    guard rest.starts(with: "//".utf8) else { return "" }
    let authority = rest.dropFirst(2).prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
    return String(Substring(host))
}
