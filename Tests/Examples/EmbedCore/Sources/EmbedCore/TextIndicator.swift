import Glibc
import WhirlCore

/// An indicator of the embedder's own: writes a line for each call.
final class TextIndicator: ProgressIndicator, Sendable {
    let binding = IndicatorBinding()
    private let name: String

    init(_ name: String) { self.name = name }

    func startAnimating() { say("starts") }
    func stopAnimating() { say("stops") }

    func show(_ progress: TransferProgress) {
        say(progress.fraction.map { "\(Int($0 * 100)) %" } ?? "\(progress.received) blocks")
    }

    private func say(_ text: String) { writeLine("\(name) \(text)") }
}

/// Writes a whole line to the standard output.
func writeLine(_ text: String) {
    var bytes = Array("\(text)\n".utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
        guard count > 0 else { exit(1) }
        bytes = bytes.dropFirst(count)
    }
}
