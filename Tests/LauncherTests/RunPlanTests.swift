import Testing
import WhirlCore
import WhirlLoopback
import WhirlSession

@testable import WhirlLauncher

@Suite("The plan of a run")
struct RunPlanTests {
    private static let registry = Registry(
        transports: [
            TransportPlugin(
                name: "able", summary: "", capabilities: [.backpressure],
                keys: Samples.table.options.filter { $0.need == .key }.map(\.name.rawValue)
            ) { _ in throw TransferError(.unsupported, "not made") },
            Samples.transport("plain"),
        ],
        frontends: [Samples.frontend(Registry.log)])

    private func plan(_ words: String...) throws(CommandError) -> RunPlan {
        let table = Self.registry.table
        let arguments = try ArgumentParser.parse(words + ["-t", "able", "-f", "none"], by: table)
        return try RunPlan(
            Launcher.settings(arguments, environment: [:], table: table), registry: Self.registry, environment: [:],
            inputs: Inputs([]))
    }

    @Test("has every setting of the session")
    func files() throws {
        let configuration = try plan(
            "--resume", "strict", "--durability", "full", "--refresh", "--remote-name", "--remote-time", "--max-size",
            "2G", "--on-exists", "fail", "-d", "out"
        ).configuration
        #expect(configuration.resume == .strict && configuration.durability == .full && configuration.refreshes)
        #expect(configuration.usesRemoteName && configuration.usesRemoteTime && configuration.maxSize == 2 << 30)
        #expect(configuration.onExists == .fail && configuration.directory == "out")
    }

    @Test("has every limit of the session")
    func limits() throws {
        let plan = try plan(
            "--retries", "0", "--retry-max-time", "10", "--retry-after-max", "0.5", "--start-rate", "0.5/s",
            "--limit-rate", "1M", "--limit-rate-per-task", "500k", "--deadline", "1.5", "--fail-fast", "--on-interrupt",
            "drain", "-j", "3", "--jobs-per-host", "2")
        let configuration = plan.configuration
        #expect(configuration.retries == 0 && configuration.retryMaxTime == 10 && configuration.retryAfterMax == 0.5)
        #expect(configuration.startRate == 0.5 && configuration.limitRate == 1 << 20)
        #expect(configuration.limitRatePerTask == 512_000 && configuration.deadline == 1.5 && configuration.failsFast)
        #expect(configuration.jobs == 3 && configuration.jobsPerHost == 2 && plan.onInterrupt == .drain)
    }

    @Test("without options is that of the session's own defaults")
    func defaults() throws {
        let (given, own) = (try plan().configuration, SessionConfiguration())
        #expect(given.retries == own.retries && given.retryAfterMax == own.retryAfterMax && given.maxSize == nil)
        #expect(given.resume == own.resume && given.durability == own.durability && given.limitRate == nil)
        #expect(given.deadline == nil && given.startRate == nil && given.retryMaxTime == nil && !given.failsFast)
    }

    @Test(
        "refuses what the transport can't do, and names one that can",
        arguments: Samples.table.options.filter { $0.need != .nothing })
    func needs(_ option: CommandOption) throws {
        let words = option.example.split(separator: " ").dropFirst().dropLast().map(String.init)
        let settings = try Samples.settings(words + ["-f", "none", "-t", "plain"])
        let complaint = Samples.complaint { () throws(CommandError) in
            try RunPlan(settings, registry: Self.registry, environment: [:], inputs: Inputs([]))
        }
        #expect(complaint == "\(option.name.flag) needs a transport that can set it; able can, plain can't")
    }

    @Test("warns of --insecure, and refuses a journal that is the stream too")
    func warnings() throws {
        #expect(
            try plan("--insecure").warnings.map(\.text) == [
                "--insecure: no server has to prove who it is; anyone on the way can read and change what comes"
            ])
        let folder = try TemporaryFolder()
        let path = folder.path + "/j"
        let registry = Registry(
            transports: [Samples.transport("fast")],
            frontends: [Samples.frontend(Registry.log), Samples.frontend(Registry.stream)])
        let settings = try Samples.settings(["--journal", path, "--events", path, "-f", "none", "-t", "fast", "u"])
        let complaint = Samples.complaint { () throws(CommandError) in
            try RunPlan(settings, registry: registry, environment: [:], inputs: Inputs([])).openJournal()
        }
        #expect(complaint == "--journal and --events can't both have \(path); a journal holds the stream too")
    }

    @Test("says of a plan what would become of each")
    func lines() {
        let task = TaskDescription(url: "http://h/a", destination: "a", key: "")
        #expect(
            PlanLines.line(PlannedTask(task, .refresh))
                == "refresh   http://h/a -> a  if the server has a newer one")
    }

    @Test("takes a flag that is off from every transport, and says where no transport can")
    func corners() throws {
        let settings = try Samples.settings(["--limit-rate", "1", "-f", "none"])
        let complaint = Samples.complaint { () throws(CommandError) in
            try RunPlan(settings, registry: Samples.registry, environment: [:], inputs: Inputs([]))
        }
        #expect(complaint == "--limit-rate needs a transport that can set it; none of this build can, fast can't")
    }
}
