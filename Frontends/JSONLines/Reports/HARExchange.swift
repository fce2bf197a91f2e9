import WhirlCore

/// One request and its response, as far as a run's records tell of it.
struct HARExchange {
    let url: String
    /// Microseconds since 1970.
    let time: Int64
    let began: Double
    let attempt: Int
    var offset: Int64
    var received: Int64
    /// When the first of its bytes were told, in seconds of the run.
    private var firstBytes: Double?

    init(url: String, began record: RunRecord, attempt: Int, offset: Int64) {
        self.url = url
        time = record.time
        began = record.elapsed
        self.attempt = attempt
        self.offset = offset
        received = offset
    }

    mutating func note(_ snapshot: TaskSnapshot, at elapsed: Double) {
        received = max(received, snapshot.progress.received)
        if received > offset, firstBytes == nil { firstBytes = elapsed }
    }

    /// Its members of an entry of HAR 1.2.
    func write(to text: inout JSONText, _ end: HAREnd) {
        let timings = end.timings ?? timings(until: end.elapsed)
        let parts = [
            timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive,
        ].compactMap(\.self)
        text.put("time", parts.reduce(0, +), digits: 3)
        write(requestTo: &text)
        write(responseTo: &text, end)
        text.beginObject("cache")
        text.endObject()
        text.beginObject("timings")
        // What is optional is -1 where nobody knows, the others have to be there.
        text.put("blocked", timings.blocked ?? -1, digits: 3)
        text.put("dns", timings.dns ?? -1, digits: 3)
        text.put("connect", timings.connect ?? -1, digits: 3)
        text.put("ssl", timings.ssl ?? -1, digits: 3)
        text.put("send", timings.send ?? 0, digits: 3)
        text.put("wait", timings.wait ?? 0, digits: 3)
        text.put("receive", timings.receive ?? 0, digits: 3)
        text.endObject()
    }

    private func timings(until end: Double) -> ExchangeTimings {
        let first = firstBytes ?? end
        return ExchangeTimings(send: 0, wait: max(0, first - began) * 1000, receive: max(0, end - first) * 1000)
    }

    private func write(requestTo text: inout JSONText) {
        text.beginObject("request")
        text.put("method", "GET")
        text.put("url", url)
        text.put("httpVersion", "unknown")
        text.emptyArray("cookies")
        text.emptyArray("headers")
        text.beginArray("queryString")
        for pair in query {
            text.beginElement()
            text.put("name", String(pair.name))
            text.put("value", String(pair.value))
            text.endObject()
        }
        text.endArray()
        text.put("headersSize", -1 as Int64)
        text.put("bodySize", 0 as Int64)
        text.endObject()
    }

    /// As they stand in the URL.
    private var query: [(name: Substring, value: Substring)] {
        let rest = url.prefix { $0 != "#" }
        guard let mark = rest.firstIndex(of: "?") else { return [] }
        return rest[rest.index(after: mark)...].split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    private func write(responseTo text: inout JSONText, _ end: HAREnd) {
        let size = max(0, received - offset)
        text.beginObject("response")
        text.put("status", Int64(end.status))
        text.put("statusText", "")
        text.put("httpVersion", "unknown")
        text.emptyArray("cookies")
        text.emptyArray("headers")
        text.beginObject("content")
        text.put("size", size)
        text.put("mimeType", "x-unknown")
        text.endObject()
        text.put("redirectURL", end.redirect)
        text.put("headersSize", -1 as Int64)
        text.put("bodySize", end.status == 0 ? -1 : size)
        text.endObject()
    }
}

/// How an exchange ended.
struct HAREnd {
    /// 0 when there was no answer.
    var status = 0
    var redirect = ""
    var timings: ExchangeTimings?
    /// Why it came to nothing.
    var error: String?
    /// Seconds of the run.
    let elapsed: Double

    init(status: Int, redirect: String, at elapsed: Double) {
        self.status = status
        self.redirect = redirect
        self.elapsed = elapsed
    }

    init(note: String, at elapsed: Double) {
        error = note
        self.elapsed = elapsed
    }

    init(error: TransferError, at elapsed: Double) {
        status = error.status ?? 0
        self.error = "\(error)"
        self.elapsed = elapsed
    }

    init(_ outcome: TaskOutcome, at elapsed: Double) {
        switch outcome {
        case .completed(let completion):
            self.init(status: completion.status ?? 0, redirect: "", at: elapsed)
            timings = completion.timings
        case .failed(let error): self.init(error: error, at: elapsed)
        case .skipped(let reason): self.init(note: reason, at: elapsed)
        case .cancelled(let reason): self.init(note: "cancelled: \(reason)", at: elapsed)
        }
    }
}
