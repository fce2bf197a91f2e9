/// A dozen files of different size and speed, to show transfers with nothing from outside.
///
/// With eight at a time the whole takes about nine seconds.
public enum DemoSite {
    /// Starts a server with the files; it lives as long as the caller keeps it.
    public static func start() throws -> (server: LoopbackServer, urls: [String]) {
        let server = try LoopbackServer(Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.route) } + hidden))
        return (server, files.map { server.url($0.path) })
    }

    /// Its name tries to colour the terminal red and to turn its own end around.
    private static let hostile = "/report%1B%5B31m%E2%80%AEfdp.exe"

    private static let files: [(path: String, route: Route)] = [
        ("/mountains-4k.mov", file(9_400_000, 1, rate: 1_150_000)),
        ("/debian-netinst.iso", file(6_800_000, 2, rate: 900_000)),
        ("/latest", .redirect(to: "/whirl-source.tar.gz")),
        ("/live-stream.ogg", .bytes(2_100_000, seed: 3, framing: .chunked, pace: .rate(350_000))),
        ("/empty.txt", file(0, 4, rate: nil)),
        ("/far-away.bin", file(104_000, 5, rate: 13_000)),
        ("/missing.zip", .notFound),
        (hostile, file(48_000, 6, rate: 40_000)),
        ("/measurements.csv", file(1_300_000, 7, rate: 420_000)),
        ("/readme.txt", file(4_096, 8, rate: nil)),
        ("/photos.tar", file(3_600_000, 9, rate: 700_000)),
        ("/late-answer.json", .script([.pause(milliseconds: 1500)] + late)),
    ]

    private static let hidden: [(String, Route)] = [("/whirl-source.tar.gz", file(4_200_000, 10, rate: 800_000))]

    private static let late: [Route.Step] = [
        .head("200 OK", ["Content-Type: application/json", "Content-Length: 17"]),
        .content(Array("{\"late\": \"yes\"}\n\n".utf8)),
    ]

    private static func file(_ size: Int64, _ seed: Int, rate: Int?) -> Route {
        .file(size: size, seed: seed, pace: Pace(bytesPerSecond: rate))
    }
}
