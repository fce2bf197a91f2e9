import WhirlJSONLines

/// How long several runs took: what ran beside each other counts once.
struct RunSpans {
    private struct Span {
        /// Microseconds since 1970; nil where the stream does not say.
        var begin: Int64?
        var seconds = 0.0
    }
    private var spans: [Span] = []

    /// The next line of a stream.
    mutating func note(_ item: RecordReader.Item) {
        guard case .record(let record) = item else { return }
        if case .run = record.event { spans.append(Span(begin: record.time)) }
        guard !spans.isEmpty, let elapsed = record.elapsed else { return }
        spans[spans.count - 1].seconds = max(spans[spans.count - 1].seconds, min(elapsed, 1e9))
    }

    /// Seconds in which any of them ran.
    var seconds: Double {
        guard spans.count > 1 else { return spans.first?.seconds ?? 0 }
        var sum = spans.reduce(0) { $0 + ($1.begin == nil ? $1.seconds : 0) }
        var end = Int64.min
        for span in spans.sorted(by: { $0.begin ?? 0 < $1.begin ?? 0 }) {
            guard let begin = span.begin else { continue }
            let over = begin + Int64(span.seconds * 1e6)
            if over > end { sum += Double(over - max(begin, end)) / 1e6 }
            end = max(end, over)
        }
        return sum
    }
}
