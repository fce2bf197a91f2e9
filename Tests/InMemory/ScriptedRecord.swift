public import WhirlCore

/// What a scripted transport was asked for, and how much of it at once.
public struct ScriptedRecord: Sendable {
    /// Every request, in the order of their start.
    public internal(set) var requests: [ExchangeRequest] = []
    /// Exchanges that have not ended.
    public internal(set) var running = 0
    /// The most that ran at once.
    public internal(set) var peak = 0
    /// The most that ran at once, by host and port.
    public internal(set) var peaks: [String: Int] = [:]
    /// Calls of `pause()` before the end.
    public internal(set) var pauses = 0
    /// Calls of `unpause()` before the end.
    public internal(set) var unpauses = 0
    /// Calls of `cancel()` before the end.
    public internal(set) var cancels = 0
    private var hosts: [String: Int] = [:]

    init() {}

    /// Notes a start; its number, from 0.
    mutating func begin(_ request: ExchangeRequest) -> Int {
        requests.append(request)
        running += 1
        peak = max(peak, running)
        let host = Self.host(request)
        hosts[host, default: 0] += 1
        peaks[host] = max(peaks[host] ?? 0, hosts[host] ?? 0)
        return requests.count - 1
    }

    mutating func end(_ request: ExchangeRequest) {
        running -= 1
        hosts[Self.host(request)]? -= 1
    }

    private static func host(_ request: ExchangeRequest) -> String {
        let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[2]) : ""
    }
}

extension ExchangeRequest {
    /// The value of the first field of that name, whatever its case; nil when there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// What comes after the host, with the query.
    public var path: String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 3 ? "/\(parts[3])" : "/"
    }
}
