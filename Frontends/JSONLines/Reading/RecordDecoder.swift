import WhirlBoard
import WhirlCore

/// Makes records of the objects of a stream.
///
/// Members that are not known are ignored; of one that is, the value must be what the schema has.
struct RecordDecoder {
    struct Fault: Error {
        /// As a sentence's end.
        let reason: String
        /// It begins a stream that is not ours to read.
        var isForeign = false
    }
    /// What is done to text from outside before anybody gets it.
    let redact: @Sendable (String) -> String

    func record(_ item: JSONItem) throws(Fault) -> StreamRecord {
        guard case .object = item, case .string(let type)? = item["type"] else {
            throw Fault(reason: "it is no object with a type")
        }
        let fields = Fields(item: item, type: type, redact: redact)
        return StreamRecord(
            sequence: try fields.integerIfAny("seq"), elapsed: try fields.numberIfAny("elapsed"),
            time: fields.text("time").flatMap(Timestamp.micros), event: try event(type, fields))
    }

    private func event(_ type: String, _ fields: Fields) throws(Fault) -> StreamEvent {
        switch type {
        case "run": return try run(fields)
        case "created": return .created(try fields.task(), try description(fields))
        case "warning": return .warning(redact(try fields.string("message")))
        case "lost": return .lost(Int(clamping: try fields.count("count")))
        case "end": return .end(try summary(fields))
        case "resumed", "attempt", "redirected", "progress", "suspended", "retrying", "restarted":
            return try step(type, try fields.task(), fields)
        case "completed", "failed", "skipped", "cancelled":
            let (task, outcome) = (try fields.task(), try outcome(type, fields))
            return .ended(
                task, outcome, received: try fields.countIfAny("received"), total: try fields.countIfAny("total"))
        default: return .other(type)
        }
    }

    private func run(_ fields: Fields) throws(Fault) -> StreamEvent {
        let schema = try fields.string("schema")
        let parts = schema.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.count == 2 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
        guard parts.first == "whirl", (1...2).contains(numbers.count), let major = Int(numbers[0]),
            let minor = numbers.count == 2 ? Int(numbers[1]) : 0
        else { throw Fault(reason: "its schema is not whirl's", isForeign: true) }
        guard major == 1 else {
            throw Fault(
                reason: "its schema is \(schema), and this whirl reads \(RecordEncoder.schema)", isForeign: true)
        }
        let description = RunDescription(
            version: fields.text("version") ?? "", transport: fields.text("transport") ?? "",
            jobs: Int(clamping: try fields.countIfAny("jobs") ?? 0))
        return .run(description, minor: minor)
    }

    private func description(_ fields: Fields) throws(Fault) -> TaskDescription {
        TaskDescription(
            url: redact(try fields.string("url")), destination: fields.text("destination") ?? "",
            key: fields.text("key") ?? "")
    }

    private func step(_ type: String, _ task: TaskID, _ fields: Fields) throws(Fault) -> StreamEvent {
        switch type {
        case "resumed": return .resumed(task)
        case "attempt":
            return .attempt(
                task, number: Int(clamping: try fields.count("attempt")), offset: try fields.countIfAny("offset") ?? 0)
        case "redirected":
            return .redirected(task, status: try fields.status(), url: redact(try fields.string("url")))
        case "suspended":
            return .suspended(
                task, received: try fields.countIfAny("received") ?? 0, reason: fields.text("reason") ?? "user")
        case "retrying":
            return .retrying(task, delay: max(0, try fields.numberIfAny("delay") ?? 0), try error(fields))
        case "restarted":
            return .restarted(
                task, offset: try fields.countIfAny("offset") ?? 0, reason: redact(fields.text("reason") ?? ""))
        default:
            // A phase of a newer schema is no reason to show nothing.
            let phase = fields.text("phase").flatMap(TaskPhase.init) ?? .receiving
            return .progress(
                task, received: try fields.count("received"), total: try fields.countIfAny("total"), phase: phase)
        }
    }

    private func outcome(_ type: String, _ fields: Fields) throws(Fault) -> TaskOutcome {
        switch type {
        case "failed": return .failed(try error(fields))
        case "skipped": return .skipped(reason: redact(fields.text("reason") ?? ""))
        case "cancelled": return .cancelled(reason: redact(fields.text("reason") ?? ""))
        default:
            var completion = TaskCompletion(destination: fields.text("destination"))
            completion.status = try fields.integerIfAny("status").map(Int.init(clamping:))
            completion.timings = try fields.object("timings").map(timings)
            if case .object(let members)? = fields.item["digests"] {
                for member in members {
                    if case .string(let digest) = member.value { completion.digests[member.name] = digest }
                }
            }
            return .completed(completion)
        }
    }

    private func timings(_ fields: Fields) throws(Fault) -> ExchangeTimings {
        ExchangeTimings(
            blocked: try fields.numberIfAny("blocked"), dns: try fields.numberIfAny("dns"),
            connect: try fields.numberIfAny("connect"), ssl: try fields.numberIfAny("ssl"),
            send: try fields.numberIfAny("send"), wait: try fields.numberIfAny("wait"),
            receive: try fields.numberIfAny("receive"))
    }

    private func error(_ fields: Fields) throws(Fault) -> TransferError {
        guard let error = fields.object("error") else { throw Fault(reason: "\(fields.type) has no error") }
        // A code of a newer schema is a failure all the same.
        let code = TransferError.Code(rawValue: try error.string("code")) ?? .internal
        return TransferError(
            code, redact(error.text("message") ?? ""), transport: error.text("transport"),
            native: try error.integerIfAny("native").map(Int.init(clamping:)),
            status: try error.integerIfAny("status").map(Int.init(clamping:)),
            isRetryable: error.item["retryable"] == .bool(true))
    }

    private func summary(_ fields: Fields) throws(Fault) -> RunSummary {
        var summary = RunSummary()
        summary.completed = Int(clamping: try fields.countIfAny("completed") ?? 0)
        summary.failed = Int(clamping: try fields.countIfAny("failed") ?? 0)
        summary.cancelled = Int(clamping: try fields.countIfAny("cancelled") ?? 0)
        summary.skipped = Int(clamping: try fields.countIfAny("skipped") ?? 0)
        summary.bytes = try fields.countIfAny("bytes") ?? 0
        summary.wasted = try fields.countIfAny("wasted") ?? 0
        summary.exit = Int32(clamping: try fields.integerIfAny("exit") ?? 0)
        return summary
    }
}

extension RecordDecoder {
    /// The members of one object.
    private struct Fields {
        /// More can't be meant: integers beyond are not exact in every reader.
        static let largest: Int64 = (1 << 53) - 1
        let item: JSONItem
        /// Whose they are, for errors.
        let type: String
        let redact: @Sendable (String) -> String

        func object(_ name: StaticString) -> Fields? {
            guard let object = item[name], case .object = object else { return nil }
            return Fields(item: object, type: "\(name) of \(type)", redact: redact)
        }

        func task() throws(Fault) -> TaskID { TaskID(number: UInt64(try count("task"))) }

        func status() throws(Fault) -> Int { Int(clamping: try count("status")) }

        func text(_ name: StaticString) -> String? {
            if case .string(let text)? = item[name] { text } else { nil }
        }

        func string(_ name: StaticString) throws(Fault) -> String {
            guard let text = text(name) else { throw wrong(name, "a string") }
            return text
        }

        /// An integer from 0.
        func count(_ name: StaticString) throws(Fault) -> Int64 {
            guard let count = try countIfAny(name) else { throw wrong(name, "a whole number from 0") }
            return count
        }

        /// The same; nil where there is none, or null.
        func countIfAny(_ name: StaticString) throws(Fault) -> Int64? {
            guard let number = try integerIfAny(name) else { return nil }
            guard number >= 0 else { throw wrong(name, "a whole number from 0") }
            return number
        }

        func integerIfAny(_ name: StaticString) throws(Fault) -> Int64? {
            switch item[name] {
            case nil, .null: return nil
            case .integer(let number) where abs(number) <= Self.largest: return number
            // Some writers know no integers.
            case .number(let number) where number == number.rounded() && abs(number) <= Double(Self.largest):
                return Int64(number)
            default: throw wrong(name, "a whole number below 2^53")
            }
        }

        func numberIfAny(_ name: StaticString) throws(Fault) -> Double? {
            switch item[name] {
            case nil, .null: return nil
            case .integer(let number): return Double(number)
            case .number(let number): return number
            default: throw wrong(name, "a number")
            }
        }

        private func wrong(_ name: StaticString, _ what: String) -> Fault {
            Fault(reason: item[name] == nil ? "\(type) has no \(name)" : "\(name) of \(type) is not \(what)")
        }
    }
}
