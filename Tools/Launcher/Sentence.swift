import WhirlSession

/// What a person is told.
///
/// Text from outside comes into it by interpolation, and that is the gate where secrets are taken out: a sentence can't
/// be made in another way but of a literal, or of what a backend or the session has to say.
struct Sentence: Equatable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ sentence: Sentence) { text += sentence.text }
        mutating func appendInterpolation(_ text: String) { self.text += Redaction.url(text) }
        mutating func appendInterpolation(_ text: Substring) { self.text += Redaction.url(String(text)) }
        mutating func appendInterpolation(_ value: some CustomStringConvertible) { text += Redaction.url("\(value)") }
    }

    let text: String

    init(stringLiteral literal: String) { text = literal }
    init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

    /// The message of an error or a trouble that a backend or the session has told, which is without secrets.
    init(trusting message: String) { text = message }

    var description: String { text }

    static func + (first: Sentence, second: Sentence) -> Sentence { "\(first)\(second)" }
}
