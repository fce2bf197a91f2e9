/// One connection: reads requests and plays their scripts, on its own thread, until either side ends it.
struct Conversation {
    let socket: Socket
    let connection: Int
    let began: ContinuousClock.Instant
    let ledger: Watched<ServerRecord>
    let route: @Sendable (ReceivedRequest) -> Route
    private var received: [UInt8] = []

    init(
        _ socket: Socket, connection: Int, began: ContinuousClock.Instant, ledger: Watched<ServerRecord>,
        route: @escaping @Sendable (ReceivedRequest) -> Route
    ) {
        self.socket = socket
        self.connection = connection
        self.began = began
        self.ledger = ledger
        self.route = route
    }

    private enum Step { case next, closed, clientLeft }

    mutating func run() {
        while let request = nextRequest() {
            let result = play(request)
            ledger.change { record in
                record.answering -= 1
                record.requests[request.number].isAnswered = true
                record.requests[request.number].clientLeft = result == .clientLeft
            }
            guard result == .next, request["Connection"]?.lowercased() != "close", request.version == "HTTP/1.1"
            else { return }
        }
    }

    private mutating func nextRequest() -> ReceivedRequest? {
        var end = headEnd()
        while end == nil {
            guard received.count < 1 << 20, socket.receive(into: &received) else { return nil }
            end = headEnd()
        }
        guard let end else { return nil }
        let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
        received.removeFirst(end + 4)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        let request = ledger.change { record in
            let request = ReceivedRequest(
                number: record.requests.count, connection: connection, arrival: .now - began, method: String(words[0]),
                target: String(words[1]), fields: fields, version: String(words[2]))
            record.requests.append(request)
            record.answering += 1
            record.peakAnswering = max(record.peakAnswering, record.answering)
            return request
        }
        return skipBody(of: request) ? request : nil
    }

    private func headEnd() -> Int? {
        guard received.count >= 4 else { return nil }
        return received.indices.dropLast(3).first { received[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }

    private mutating func skipBody(of request: ReceivedRequest) -> Bool {
        let length = request["Content-Length"].flatMap(Int.init) ?? 0
        while received.count < length {
            guard socket.receive(into: &received) else { return false }
        }
        received.removeFirst(length)
        return true
    }

    private func play(_ request: ReceivedRequest) -> Step {
        for step in route(request).steps(request) {
            let result = play(step, for: request)
            if result != .next { return result }
        }
        return .next
    }

    private func play(_ step: Route.Step, for request: ReceivedRequest) -> Step {
        let hasBody = request.method != "HEAD"
        switch step {
        case .raw(let bytes): return send(bytes[...])
        case .content(let bytes):
            guard hasBody else { return .next }
            return count(bytes[...], for: request) ? .next : .clientLeft
        case .body(let pattern, let range, let chunked, let pace):
            guard hasBody else { return .next }
            return play(pattern, range, chunked: chunked, pace, for: request)
        case .endOfChunks(let trailers):
            guard hasBody else { return .next }
            return send(Array(("0\r\n" + trailers.map { $0 + "\r\n" }.joined() + "\r\n").utf8)[...])
        case .pause(let milliseconds):
            return socket.wait(until: .now + .milliseconds(milliseconds)) ? .next : .clientLeft
        case .wait(let gate): return socket.wait(until: nil, gate: gate) ? .next : .clientLeft
        case .hold: return socket.wait(until: nil) ? .next : .clientLeft
        case .close: return .closed
        case .reset:
            socket.resetOnClose()
            return .closed
        }
    }

    private func play(
        _ pattern: BodyPattern, _ range: Range<Int64>, chunked: Bool, _ pace: Pace, for request: ReceivedRequest
    ) -> Step {
        let began = ContinuousClock.now
        var offset = range.lowerBound
        while offset < range.upperBound {
            if let gate = pace.gates[offset], !socket.wait(until: nil, gate: gate) { return .clientLeft }
            let piece = pattern.bytes(offset..<pace.end(from: offset, of: range))
            if chunked, send(Array((String(piece.count, radix: 16) + "\r\n").utf8)[...]) != .next { return .clientLeft }
            guard count(piece[...], for: request) else { return .clientLeft }
            if chunked, send([13, 10]) != .next { return .clientLeft }
            offset += Int64(piece.count)
            if let due = pace.due(after: offset - range.lowerBound, began), offset < range.upperBound,
                !socket.wait(until: due)
            {
                return .clientLeft
            }
        }
        return .next
    }

    private func send(_ bytes: ArraySlice<UInt8>) -> Step {
        socket.send(bytes) == bytes.count ? .next : .clientLeft
    }

    /// Sends bytes of a body and writes them down.
    private func count(_ bytes: ArraySlice<UInt8>, for request: ReceivedRequest) -> Bool {
        let sent = socket.send(bytes)
        ledger.change { $0.requests[request.number].bodySent += Int64(sent) }
        return sent == bytes.count
    }
}

extension Pace {
    /// Where the piece that begins at `offset` ends: never beyond a gate.
    fileprivate func end(from offset: Int64, of range: Range<Int64>) -> Int64 {
        // A paced body goes out in about 50 pieces a second.
        let size = piece ?? bytesPerSecond.map { max(1, min(65536, $0 / 50)) } ?? 65536
        let gate = gates.keys.filter { $0 > offset }.min() ?? .max
        return min(range.upperBound, offset + Int64(max(1, size)), gate)
    }

    /// When the next piece may go; nil: at once.
    fileprivate func due(after sent: Int64, _ began: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if let bytesPerSecond { return began + .microseconds(sent * 1_000_000 / Int64(max(1, bytesPerSecond))) }
        return pause > 0 ? .now + .milliseconds(pause) : nil
    }
}
