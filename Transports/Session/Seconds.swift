/// Durations in sentences for people.
enum Seconds {
    /// `60 s`, `2.5 s`.
    static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() && seconds < 1e15 ? "\(Int64(seconds)) s" : "\(seconds) s"
    }
}
