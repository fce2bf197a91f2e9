import WhirlCore
import WhirlSession

/// Exit codes of the process.
enum ExitStatus {
    /// The code after frontends have told what they could not show: a reader that went away is 141, as if SIGPIPE had
    /// ended us, unless something else is wrong; what could not be written is 3.
    static func after(_ code: Int32, _ troubles: [FrontendTrouble]) -> Int32 {
        guard code < 128 else { return code }
        let isUnwritten = troubles.contains { if case .notWritten = $0 { true } else { false } }
        if isUnwritten { return ExitCode.worse(code, 3) }
        // A reader that goes away ends the run: what is cancelled then is no failure of its own.
        return troubles.contains(.readerGone) && (code == 0 || code == 5) ? 141 : code
    }

    /// The code of a process that a signal has ended, as shells tell it.
    static func of(signal: Int32) -> Int32 { 128 + signal }

    /// The code for an error of a backend.
    static func of(_ error: any Error) -> Int32 { (error as? TransferError)?.code.exit ?? 70 }

    /// What an error of a backend has to say.
    static func sentence(_ error: any Error) -> Sentence {
        Sentence(trusting: (error as? TransferError)?.message ?? "\(error)")
    }
}
