public import WhirlCore

/// What a scripted transport does about one request, step by step.
///
/// A script that runs out ends as finished; one that shall never end waits for a latch that nobody opens. It is the
/// script's business to keep the order of the seam: phases, one head, the body, the end.
public struct ScriptedAnswer: Sendable {
    /// One step of an exchange.
    public enum Step: Sendable {
        /// The exchange comes this far.
        case phase(TaskPhase)
        /// The final response's head comes.
        case head(ResponseHead)
        /// The next bytes of the body come, in one piece; none: nothing comes.
        case body([UInt8])
        /// Nothing comes until the latch is open.
        case wait(Latch)
        /// The test's own code runs on the transport's thread.
        case run(@Sendable () -> Void)
        /// The exchange ends; what follows is never reached.
        case end(ExchangeOutcome)
    }

    /// What happens, in order.
    public var steps: [Step]

    /// An answer of these steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// A whole answer: head, body in pieces, end.
    ///
    /// A `Content-Length` is added when the body comes in one piece and `fields` name no length.
    public static func answer(
        status: Int = 200, fields: [HTTPField] = [], pieces: [[UInt8]], timings: ExchangeTimings? = nil
    ) -> ScriptedAnswer {
        var fields = fields
        let namesLength = fields.contains { ["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
        if pieces.count <= 1, !namesLength { fields.append(HTTPField("Content-Length", "\(pieces.joined().count)")) }
        return ScriptedAnswer(
            [.head(ResponseHead(status: status, version: .http11, fields: fields))] + pieces.map { .body($0) }
                + [.end(ExchangeOutcome(.finished, timings: timings))])
    }

    /// A whole answer with a body of one piece.
    public static func answer(status: Int = 200, fields: [HTTPField] = [], body: [UInt8] = []) -> ScriptedAnswer {
        answer(status: status, fields: fields, pieces: body.isEmpty ? [] : [body])
    }

    /// No answer at all: the exchange fails before any head.
    public static func failure(_ error: TransferError) -> ScriptedAnswer {
        ScriptedAnswer([.end(ExchangeOutcome(.failed(error)))])
    }
}
