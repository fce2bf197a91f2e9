import Glibc
import Testing
import WhirlLoopback

@Suite("A name server that never answers", .timeLimit(.minutes(1))) struct ResolvingTests {
    /// In a network of its own, where port 53 takes questions and gives no answer: asks, interrupts at the first question,
    /// and prints the exit code and the milliseconds from one to the other.
    private static let script = """
        import signal, socket, subprocess, sys, time
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind(("127.0.0.1", 53))
        process = subprocess.Popen(sys.argv[1:])
        server.recvfrom(2000)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        print(process.wait(), int((time.monotonic() - began) * 1000))
        """

    @Test("does not hold up the end of a run that is interrupted", arguments: transports)
    func interrupted(_ transport: String) async throws {
        let hasIP = unsafe access("/usr/sbin/ip", X_OK) == 0
        guard geteuid() == 0, hasIP else {
            try Test.cancel("only root can make a network of its own, with the command ip")
        }
        let folder = try TemporaryFolder()
        folder.write("resolv.conf", "nameserver 127.0.0.1\n")
        folder.write("ask.py", Self.script)
        let setting = "ip link set lo up && mount --bind resolv.conf /etc/resolv.conf && exec \"$@\""
        let run = try await Program.run(
            "unshare",
            [
                "--mount", "--net", "sh", "-c", setting, "sh", "/usr/bin/python3", "ask.py", Program.whirl, "-t",
                transport, "-f", "none", "http://whirl.test/a",
            ], folder: folder.path)
        let numbers = run.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(numbers.count == 2 && numbers[0] == -2, "\(run.outputText) \(run.complaintText)")
        #expect((numbers.last ?? .max) < 1000, "\(numbers) ms")
        print("\(transport): interrupted while resolving, ended within \(numbers.last ?? -1) ms")
    }
}
