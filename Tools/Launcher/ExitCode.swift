import WhirlCore

/// Exit codes of the command.
enum ExitCode {
    /// The worst first: the code of a run does not depend on the order of its URLs.
    private static let order: [Int32] = [70, 4, 3, 2, 1, 5, 0]

    /// The worst of several.
    static func worst(_ codes: Int32...) -> Int32 {
        order.first(where: codes.contains) ?? codes.max() ?? 0
    }

    /// The code after frontends have told what they could not show: a reader that went away is 141, as if SIGPIPE had
    /// ended us, unless something else is wrong; what could not be written is 3.
    static func after(_ code: Int32, _ troubles: [FrontendTrouble]) -> Int32 {
        guard code < 128 else { return code }
        let isUnwritten = troubles.contains { if case .notWritten = $0 { true } else { false } }
        if isUnwritten { return worst(code, 3) }
        // A reader that goes away ends the run: what is cancelled then is no failure of its own.
        return troubles.contains(.readerGone) && (code == 0 || code == 5) ? 141 : code
    }

    /// The code of a process that a signal has ended, as shells tell it.
    static func of(signal: Int32) -> Int32 { 128 + signal }
}
