import WhirlLoopback

/// The folder that the tests were built from: its scripts, its examples.
enum Checkout {
    static let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    /// What one of its scripts says of files; empty when nothing is wrong.
    static func complaints(_ script: String, _ words: [String], in folder: TemporaryFolder) async throws -> String {
        let run = try await Program.run("\(path)/Tools/\(script)", words, folder: folder.path)
        return run.exit == 0 && run.complaints.isEmpty ? "" : "exit \(run.exit)\n" + run.complaintText
    }
}
