import Testing
import WhirlCore
import WhirlInMemory

@testable import WhirlSession

@Suite("What can be done about a failure") struct AdviceTests {
    private func sentence(_ script: [Step]) throws -> String? {
        let scene = try Scene { _, _ in script }
        let task = try scene.add()
        scene.transport.run()
        return task.life.snapshot.outcome?.error?.message
    }

    @Test(
        "stands behind each status",
        arguments: [
            (304, "Not Modified; look whether the URL is right"),
            (401, "Unauthorized; give a name and a password with --user, or --netrc"),
            (402, "Payment Required; it may want credentials (--user) or a header (-H), or ask who runs the server"),
            (403, "Forbidden; it may want credentials (--user) or a header (-H), or ask who runs the server"),
            (404, "Not Found; look whether the URL is right"),
            (405, "Method Not Allowed; look whether the URL is right"),
            (406, "Not Acceptable; ask for what it has with -H 'Accept: …'"),
            (
                407,
                "Proxy Authentication Required; give the proxy's name and password: --proxy http://NAME:PASS@HOST:PORT"
            ),
            (408, "Request Timeout; try again later, or with more --retries"),
            (410, "Gone; look whether the URL is right"),
            (413, "Content Too Large; look whether the URL is right"),
            (414, "URI Too Long; look whether the URL is right"),
            (415, "Unsupported Media Type; look whether the URL is right"),
            (416, "Range Not Satisfiable; look whether the URL is right"),
            (429, "Too Many Requests; try again later, and ask less often: -j 1, or --start-rate"),
            (431, "Request Header Fields Too Large; look whether the URL is right"),
            (
                451,
                "Unavailable For Legal Reasons; it may want credentials (--user) or a header (-H), or ask who runs the server"
            ),
            (500, "Internal Server Error; try again later, or with more --retries"),
            (501, "Not Implemented; tell who runs the server"),
            (503, "Service Unavailable; try again later, or with more --retries"),
            (505, "HTTP Version Not Supported; tell who runs the server"),
            (511, "Network Authentication Required; log in to the network first"),
        ])
    func status(_ status: Int, _ rest: String) throws {
        #expect(try sentence(.status(status)) == "the server answered \(status) \(rest)")
    }

    @Test(
        "stands behind each kind of failure that a transport can tell of",
        arguments: [
            (.resolve, "look whether the name is right and the network is there"),
            (.connect, "look whether host and port are right and a server runs there"),
            (.timeout, "try again later, or allow more time"), (.stalled, "try again later, or allow more time"),
            (.reset, "try again later"), (.truncated, "try again later"),
            (.tls, "look whether that port is one for https"),
            (.malformed, "look whether a web server is there, or tell who runs it"),
            (.certificate, "to trust it name it, or who signed it, with --cacert FILE"),
            (.internal, "please report it, with what --events FILE writes"),
        ] as [(TransferError.Code, String)])
    func transport(_ code: TransferError.Code, _ advice: String) throws {
        #expect(try sentence(.failure(TransferError(code, "no"))) == "no; \(advice)")
    }

    @Test("is not added where the sentence has it already, nor to an attempt that is followed by another")
    func once() throws {
        #expect(try sentence(.failure(TransferError(.reset, "no; do this"))) == "no; do this")
        let scene = try Scene(configure: { $0.retries = 1 }) { _, _ in .failure(TransferError(.reset, "no")) }
        let task = try scene.add()
        let log = EventLog(task)
        scene.transport.run()
        scene.pass(2)
        let told = log.events.compactMap { if case .retrying(_, let error) = $0 { error.message } else { nil } }
        #expect(told == ["no"])
        #expect(task.life.snapshot.outcome?.error?.message == "no; try again later")
    }

    @Test("stands behind every kind: what a code has no advice for says it in its own sentence")
    func every() {
        let silent = TransferError.Code.all.filter { Advice.on(TransferError($0, "")) == nil }
        #expect(Set(silent.map(\.rawValue)) == ["usage", "unsupported", "changed", "too_large", "cancelled"])
    }
}
