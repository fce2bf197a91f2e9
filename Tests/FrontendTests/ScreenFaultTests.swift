#if NCurses
import Testing

@testable import WhirlNCurses

@Suite("Why there can be no screen") struct ScreenFaultTests {
    @Test(
        "is one sentence that says what to do",
        arguments: [
            (.noTerminal("/dev/tty"), "there is no terminal here (/dev/tty can't be opened); use -f log"),
            (.noType, "the environment variable TERM is not set; set it, or use -f log"),
            (.unknownType("x"), "no description of a terminal of type x is installed (TERM); use -f log"),
            (.immovable("dumb"), "a terminal of type dumb (TERM) can't move its cursor; use -f log"),
            (.inBackground, "the command runs in the background of its terminal; use -f log"),
            (.taken, "another dashboard of this process has the terminal; use another frontend"),
            (.noRoom, "the process has no descriptors or threads left; raise ulimit -n and -u"),
        ] as [(ScreenFault, String)])
    func sentences(_ fault: ScreenFault, _ sentence: String) { #expect(fault.sentence == sentence) }
}
#endif
