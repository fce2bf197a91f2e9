/// What the first INT does to a run.
enum OnInterrupt: String, CaseIterable, Sendable {
    /// Everything unfinished is cancelled.
    case quit
    /// What runs may end, nothing else starts; the next INT quits.
    case drain
}
