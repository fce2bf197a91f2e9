import Testing
import WhirlCore

@testable import WhirlLauncher

@Suite("The exit code")
struct ExitStatusTests {
    @Test(
        "follows from the run and from what frontends could not show",
        arguments: [
            (0, [], 0), (1, [], 1), (5, [], 5), (70, [], 70),
            (0, [.readerGone], 141), (5, [.readerGone], 141), (1, [.readerGone], 1), (3, [.readerGone], 3),
            (0, [.notWritten("no space")], 3), (1, [.notWritten("no space")], 3), (4, [.notWritten("no space")], 4),
            (0, [.readerGone, .notWritten("no space")], 3), (130, [.notWritten("no space")], 130),
            (143, [.readerGone], 143),
        ] as [(Int32, [FrontendTrouble], Int32)])
    func after(_ code: Int32, _ troubles: [FrontendTrouble], _ expected: Int32) {
        #expect(ExitStatus.after(code, troubles) == expected)
    }

    @Test("of a backend's error is that of its code")
    func errors() {
        struct Stranger: Error {}
        #expect(ExitStatus.of(TransferError(.usage, "no")) == 2)
        #expect(ExitStatus.of(TransferError(.diskFull, "no")) == 3)
        #expect(ExitStatus.of(Stranger()) == 70)
        #expect(ExitStatus.of(signal: 2) == 130)
    }
}
