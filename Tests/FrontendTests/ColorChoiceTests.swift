import Testing
import WhirlBoard

@Suite struct ColorChoiceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var choice = ColorChoice.auto
        var isTerminal = true
        var environment: [String: String] = [:]
        var isColored: Bool
        var testDescription: String { "\(choice) terminal=\(isTerminal) \(environment)" }
    }
    static let cases = [
        Case(isColored: true), Case(isTerminal: false, isColored: false),
        Case(choice: .always, isTerminal: false, environment: ["NO_COLOR": "1", "TERM": "dumb"], isColored: true),
        Case(choice: .never, environment: ["FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"], isColored: false),
        Case(environment: ["NO_COLOR": "1"], isColored: false), Case(environment: ["NO_COLOR": "0"], isColored: false),
        Case(environment: ["NO_COLOR": ""], isColored: true),
        Case(environment: ["NO_COLOR": "1", "FORCE_COLOR": "1"], isColored: false),
        Case(isTerminal: false, environment: ["NO_COLOR": "", "FORCE_COLOR": "1"], isColored: true),
        Case(isTerminal: false, environment: ["FORCE_COLOR": "1"], isColored: true),
        Case(isTerminal: false, environment: ["FORCE_COLOR": "3"], isColored: true),
        Case(isTerminal: false, environment: ["FORCE_COLOR": "0"], isColored: false),
        Case(environment: ["FORCE_COLOR": "0"], isColored: true),
        Case(isTerminal: false, environment: ["FORCE_COLOR": ""], isColored: false),
        Case(isTerminal: false, environment: ["CLICOLOR_FORCE": "1"], isColored: true),
        Case(isTerminal: false, environment: ["CLICOLOR_FORCE": "0"], isColored: false),
        Case(isTerminal: false, environment: ["CLICOLOR_FORCE": "0", "FORCE_COLOR": "1"], isColored: true),
        Case(environment: ["TERM": "dumb"], isColored: false), Case(environment: ["TERM": "xterm"], isColored: true),
        Case(environment: ["TERM": "dumb", "FORCE_COLOR": "1"], isColored: true),
        Case(environment: ["CI": "true"], isColored: false), Case(environment: ["CI": "false"], isColored: true),
        Case(environment: ["CI": "0"], isColored: true), Case(environment: ["CI": ""], isColored: true),
        Case(environment: ["CI": "true", "CLICOLOR_FORCE": "1"], isColored: true),
        Case(isTerminal: false, environment: ["TERM": "xterm"], isColored: false),
    ]

    @Test(
        "Colour: the flag, then NO_COLOR, then the forcing variables, then TERM and CI, then the terminal",
        arguments: cases)
    func decides(_ each: Case) {
        #expect(each.choice.isColored(isTerminal: each.isTerminal, environment: each.environment) == each.isColored)
    }

    @Test(
        "The character set is the locale's",
        arguments: [
            ([:], false), (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8@euro"], true), (["LANG": "C"], false),
            (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
            (["LC_ALL": "", "LANG": "C.UTF-8"], true),
        ])
    func characterSet(_ environment: [String: String], _ isUTF8: Bool) {
        #expect(Environment.isUTF8(environment) == isUTF8)
    }
}
