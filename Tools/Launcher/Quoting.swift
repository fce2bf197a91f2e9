import WhirlSession

/// Text from outside as a sentence quotes it: without secrets and control characters, and not too long.
func quoted(_ text: String) -> Sentence {
    let text = Redaction.url(text)  // before it is cut: what is left of a password would not be known for one
    var shown = ""
    for scalar in text.unicodeScalars.prefix(80) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            shown += "\\u{\(String(scalar.value, radix: 16))}"
        default: shown.unicodeScalars.append(scalar)
        }
    }
    return Sentence(trusting: "'\(shown)\(text.unicodeScalars.count > 80 ? "..." : "")'")
}
