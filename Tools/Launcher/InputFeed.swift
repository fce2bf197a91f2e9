import WhirlSession

/// The requests of a run one after the other: those that are known whole, then those of pipes as they come.
///
/// Of a run that is one of several parts only its own are given.
struct InputFeed {
    /// What comes next.
    enum Event: Sendable {
        case request(TransferRequest, at: InputPlace, RequestCheck.Admission?)
        /// A line that is wrong; those behind it may be right.
        case wrong(CommandError, url: String)
        /// What people should know.
        case warning(Sentence)
        /// A list that can't be read any further.
        case broken(CommandError)
    }

    private let inputs: Inputs
    private var items: Inputs.Items
    private var streams: ArraySlice<Descriptor>
    private var reader: ListReader?
    /// How many requests and wrong lines there were, also in other parts.
    private(set) var count = 0

    /// All that the inputs have.
    init(_ inputs: Inputs) {
        self.inputs = inputs
        items = inputs.items
        streams = inputs.streams[...]
    }

    /// Waits for it; nil at the end.
    mutating func next() async -> Event? {
        while let item = items.next() {
            if let failure = item.failure { return .broken(failure) }
            if let event = number(item.request, at: item.place, item.admission) { return event }
        }
        while let stream = streams.first {
            var reader = self.reader ?? ListReader(name: stream.name, inputs.source)
            let event = await next(&reader, stream)
            self.reader = reader
            let isOver = if case .broken = event { true } else { event == nil }
            if isOver {
                self.reader = nil
                streams.removeFirst()
            }
            if let event { return event }
        }
        return nil
    }

    private mutating func next(_ reader: inout ListReader, _ stream: Descriptor) async -> Event? {
        while true {
            if !reader.warnings.isEmpty { return .warning(reader.warnings.removeFirst()) }
            switch reader.next() {
            case .request(let listed):
                let place = InputPlace(list: stream.name, line: listed.line)
                if let event = number(inputs.complete(listed.request), at: place, nil) { return event }
            case .wrong(let error, let url):
                count += 1
                return .wrong(error, url: url)
            case nil where !reader.warnings.isEmpty: break
            case nil:
                guard !reader.isOver else { return nil }
                switch await stream.next() {
                case .success(let bytes): reader.append(bytes)
                case .failure(let error): return .broken(error)
                }
            }
        }
    }

    /// Nil for a request of another part.
    private mutating func number(
        _ request: TransferRequest, at place: InputPlace, _ admission: RequestCheck.Admission?
    ) -> Event? {
        count += 1
        guard let shard = inputs.shard else { return .request(request, at: place, admission) }
        guard shard.has(request) else { return nil }
        var request = request
        request.number = count
        return .request(request, at: place, admission)
    }
}

extension Descriptor {
    /// The next bytes, none at the end, read on a thread of its own: a pipe may stay silent for ever.
    ///
    /// One thread a read costs little beside what a read brings.
    fileprivate func next() async -> Result<[UInt8], CommandError> {
        await withCheckedContinuation { continuation in
            Thread.detach {
                do throws(CommandError) {
                    continuation.resume(returning: .success(try self.read(upTo: 64 << 10)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }
}
