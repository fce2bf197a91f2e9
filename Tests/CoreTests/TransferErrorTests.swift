import Testing
import WhirlCore

@Suite("Why a transfer failed") struct TransferErrorTests {
    private typealias Code = TransferError.Code

    private static let exits: [(String, Int32)] = [
        ("internal", 70), ("digest_mismatch", 4), ("changed", 4), ("disk_full", 3), ("permission", 3), ("io", 3),
        ("usage", 2), ("unsupported", 2), ("resolve", 1), ("connect", 1), ("timeout", 1), ("stalled", 1), ("reset", 1),
        ("truncated", 1), ("tls", 1), ("protocol", 1), ("http", 1), ("certificate", 1), ("redirect", 1),
        ("too_large", 1), ("cancelled", 5),
    ]

    @Test("Each word is a code, gives itself back, and has its exit", arguments: exits)
    func exit(word: String, exit: Int32) throws {
        let code = try #require(TransferError.Code(rawValue: word))
        #expect(code.rawValue == word)
        #expect("\(code)" == word)
        #expect(code.exit == exit)
        #expect(TransferError(code, "why").description == "\(word): why")
    }

    @Test("There are no other codes, and each constant is the code of its word")
    func bounded() {
        #expect(Set(Code.all.map(\.rawValue)) == Set(Self.exits.map(\.0)))
        #expect(Code.all.count == Self.exits.count)
        let constants: [Code] = [
            .internal, .digestMismatch, .changed, .diskFull, .permission, .io, .usage, .unsupported, .resolve, .connect,
            .timeout, .stalled, .reset, .truncated, .tls, .malformed, .http, .certificate, .redirect, .tooLarge,
            .cancelled,
        ]
        #expect(constants.map(\.rawValue) == Self.exits.map(\.0))
        for word in ["", "Reset", "malformed", "digestMismatch", "reset "] { #expect(Code(rawValue: word) == nil) }
    }

    @Test("Another attempt may help with what often passes, and only with that", arguments: exits.map(\.0))
    func retryable(word: String) throws {
        let passing: Set = ["resolve", "connect", "timeout", "stalled", "reset", "truncated", "tls", "protocol"]
        let code = try #require(TransferError.Code(rawValue: word))
        #expect(TransferError(code, "why").isRetryable == passing.contains(word))
        #expect(TransferError(code, "why", isRetryable: true).isRetryable)
        #expect(!TransferError(code, "why", isRetryable: false).isRetryable)
    }

    @Test("What a transport knows stands beside the code")
    func details() {
        let error = TransferError(.truncated, "ended early", transport: "curl", native: 18, status: 200)
        #expect(error.transport == "curl" && error.native == 18 && error.status == 200)
        #expect(error != TransferError(.truncated, "ended early"))
    }
}
