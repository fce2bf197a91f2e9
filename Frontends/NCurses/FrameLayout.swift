#if NCurses
/// How many lines each part of a screen has.
struct FrameLayout: Equatable, Sendable {
    /// From so many rows on the log and the failures are in sight unless somebody hides them.
    static let tall = 40

    /// Too small for more than one line of sums.
    let isTiny: Bool
    /// Rows of tasks.
    let body: Int
    /// Lines of the log, without the rule above them.
    let log: Int
    /// Lines of the failures, without the rule above them.
    let failures: Int

    /// The parts of a screen of that size, when `failed` tasks have failed.
    ///
    /// `showsLog` is what somebody asked for; nil: nobody did.
    init(_ size: ScreenSize, showsLog: Bool? = nil, failed: Int = 0) {
        isTiny = size.columns < 20 || size.rows < 3
        let inner = isTiny ? 1 : size.rows - 2
        let isTall = size.rows >= Self.tall
        guard !isTiny, inner >= 4, showsLog ?? isTall else {
            (body, log, failures) = (inner, 0, 0)
            return
        }
        let pane = isTall ? size.rows / 3 : inner / 2
        body = inner - pane
        failures = isTall && failed > 0 ? min(failed, pane / 2 - 1) : 0
        log = pane - 1 - (failures > 0 ? failures + 1 : 0)
    }
}
#endif
