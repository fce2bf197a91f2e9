/// Text from outside as an error quotes it: without control characters and not too long.
func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(80) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
            shown += "\\u{\(String(scalar.value, radix: 16))}"
        default: shown.unicodeScalars.append(scalar)
        }
    }
    return "'\(shown)\(text.unicodeScalars.count > 80 ? "..." : "")'"
}
