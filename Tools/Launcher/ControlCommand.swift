import WhirlCore
import WhirlSession

/// A command that a program sends to a run: one JSON object.
enum ControlCommand: Sendable {
    /// What a command is about.
    enum Target: Equatable, Sendable {
        case task(TaskID)
        /// All there are at that moment.
        case all
    }
    /// Another rate.
    enum Rate: Equatable, Sendable {
        case unlimited
        case bytes(Int64)
    }

    case suspend(Target)
    case resume(Target)
    case cancel(Target)
    case retry(Target)
    case add(TransferRequest)
    case set(jobs: Int?, rate: Rate?)
    case drain
    case quit

    /// A line, and what came of reading it.
    struct Line: Sendable {
        /// What the sender calls it, when that could be read.
        var id: CommandAnswer.Name?
        var command: Result<ControlCommand, CommandError>
    }

    private enum Word: String, CaseIterable {
        case suspend, resume, cancel, retry, add, set, drain, quit

        /// What may stand beside `id` and `command`.
        var fields: [String] {
            switch self {
            case .suspend, .resume, .cancel, .retry: ["task"]
            case .add: ["request"]
            case .set: ["jobs", "rate"]
            case .drain, .quit: []
            }
        }
    }

    /// Names longer than that are not repeated.
    private static let longestName = 1024
    private static let jobs = 1...1000
    private static let largest: Int64 = 1 << 53

    /// Reads a line; nil is one that was too long.
    static func read(_ line: [UInt8]?) -> Line {
        guard let line else { return Line(command: .failure(CommandError("a command has at most 1 MiB"))) }
        var id: CommandAnswer.Name?
        do throws(CommandError) {
            guard case .object(let members) = try JSONValue(line[...]) else {
                throw CommandError(#"a command is an object, such as {"id": 1, "command": "suspend", "task": 1}"#)
            }
            var fields: [String: JSONValue] = [:]
            for member in members { fields[member.name] = member.value }
            id = try name(fields["id"] ?? .null)
            return Line(id: id, command: .success(try command(members, fields)))
        } catch {
            return Line(id: id, command: .failure(error))
        }
    }

    private static func name(_ value: JSONValue) throws(CommandError) -> CommandAnswer.Name? {
        switch value {
        case .null: return nil
        case .string(let text) where text.utf8.count <= longestName: return .text(text)
        case .number(let text):
            if let number = Int64(text), number.magnitude < largest { return .number(number) }
        default: break
        }
        throw CommandError("id is a whole number or a string of at most \(longestName) bytes")
    }

    private static func command(
        _ members: [JSONValue.Member], _ fields: [String: JSONValue]
    ) throws(CommandError) -> ControlCommand {
        let words = Word.allCases.map(\.rawValue)
        guard case .string(let text)? = fields["command"] else {
            throw CommandError("command must be one of \(words.joined(separator: ", "))")
        }
        guard let word = Word(rawValue: text) else {
            throw CommandError(
                "\(quoted(text)) is no command; there is \(words.joined(separator: ", "))"
                    + Sentence(stringLiteral: Suggestion.phrase(for: String(text.prefix(40)), among: words)))
        }
        let known = ["id", "command"] + word.fields
        for member in members where !known.contains(member.name) {
            throw CommandError("\(quoted(member.name)) is no field of \(text); it has \(known.joined(separator: ", "))")
        }
        switch word {
        case .suspend: return .suspend(try target(fields["task"], text))
        case .resume: return .resume(try target(fields["task"], text))
        case .cancel: return .cancel(try target(fields["task"], text))
        case .retry: return .retry(try target(fields["task"], text))
        case .add: return .add(try request(fields["request"]))
        case .set: return try set(fields)
        case .drain: return .drain
        case .quit: return .quit
        }
    }

    private static func target(_ value: JSONValue?, _ word: String) throws(CommandError) -> Target {
        if value == .string("all") { return .all }
        guard let number = value?.count, number > 0 else {
            throw CommandError(#"\#(word) needs a task: its number, or "all""#)
        }
        return .task(TaskID(number: UInt64(number)))
    }

    private static func request(_ value: JSONValue?) throws(CommandError) -> TransferRequest {
        guard let value else {
            throw CommandError(#"add needs a request, such as {"url": "https://example.org/a.iso"}"#)
        }
        do {
            return try ManifestRecord(value).request
        } catch {
            throw CommandError("request: \(error.message)")
        }
    }

    private static func set(_ fields: [String: JSONValue]) throws(CommandError) -> ControlCommand {
        var jobs: Int?
        if let value = fields["jobs"] {
            guard let count = value.count.flatMap({ Int(exactly: $0) }), Self.jobs.contains(count) else {
                throw CommandError(
                    "jobs must be a whole number from \(Self.jobs.lowerBound) to \(Self.jobs.upperBound)")
            }
            jobs = count
        }
        var rate: Rate?
        switch fields["rate"] {
        case nil: break
        case .null?: rate = .unlimited
        case let value?:
            guard let bytes = value.count, (1..<largest).contains(bytes) else {
                throw CommandError("rate must be a whole number of bytes per second from 1, or null for no limit")
            }
            rate = .bytes(bytes)
        }
        guard jobs != nil || rate != nil else { throw CommandError("set needs jobs, rate, or both") }
        return .set(jobs: jobs, rate: rate)
    }
}
