import WhirlLoopback

/// A certificate authority of our own, and a certificate of it for `a.test` and 127.0.0.1, made anew.
final class Authority: Sendable {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try await make("ca", "/CN=Whirl test authority", [])
        try await make(
            "server", "/CN=a.test",
            [
                "-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "subjectAltName=DNS:a.test,IP:127.0.0.1",
                "-addext", "basicConstraints=critical,CA:FALSE",
            ])
    }

    /// What to trust, as a PEM file.
    var anchor: String { folder.path + "/ca.pem" }
    var certificate: String { folder.path + "/server.pem" }
    var key: String { folder.path + "/server.key" }

    private func make(_ name: String, _ subject: String, _ more: [String]) async throws {
        let words =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            + ["-subj", subject, "-keyout", "\(name).key", "-out", "\(name).pem"] + more
        let run = try await Program.run("openssl", words, folder: folder.path)
        guard run.exit == 0 else { throw Program.Fault(text: "openssl: \(run.complaintText)") }
    }
}
