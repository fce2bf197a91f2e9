import Glibc
import WhirlCore
import WhirlLoopback
import WhirlSession

/// `whirl demo`: transfers from a server in the process.
enum Demo {
    /// One of the files is missing on purpose.
    private static let missing = 1

    /// Transfers all of the demo's files: into a folder that is removed afterwards unless the settings name one.
    static func run(
        _ settings: Settings, registry: Registry, environment: [String: String]
    ) async throws(CommandError) -> Run.Ending {
        let environment = withoutProxies(environment)
        let (server, urls) = try site()
        defer { server.stop() }
        let inputs = Inputs(urls.map { TransferRequest($0) })
        var plan = try RunPlan(settings, registry: registry, environment: environment, inputs: inputs)
        let temporary = settings.last(.directory) == nil ? try folder() : nil
        defer { withExtendedLifetime(temporary) {} }  // it is removed with the value
        if let temporary {
            plan.configuration.directory = temporary.path
            plan.frontends.tellOfDiscard()
        }
        try plan.check()
        let count = urls.count
        let ending = try await Run(plan) { summary, code in
            isExpected(summary, of: count) ? 0 : code
        }.perform()
        if ending.exit == 0, ending.summary.failed == missing, !settings.isOn(.quiet) {
            Output.complain("the demo went as meant: one file is missing at the server, for which a real run exits 1")
        }
        return ending
    }

    private static func isExpected(_ summary: RunSummary, of count: Int) -> Bool {
        summary.exit == 1 && summary.failed == missing && summary.completed + summary.skipped == count - missing
    }

    private static func site() throws(CommandError) -> (server: LoopbackServer, urls: [String]) {
        do {
            return try DemoSite.start()
        } catch {
            throw CommandError(
                "the demo's server can't start on 127.0.0.1: \(ExitStatus.sentence(error)); look whether this process may listen there",
                exit: 70)
        }
    }

    private static func folder() throws(CommandError) -> TemporaryFolder {
        do {
            return try TemporaryFolder()
        } catch {
            throw CommandError(
                "no folder can be made for the demo's files: \(ExitStatus.sentence(error)); set TMPDIR to one that can be written",
                exit: 3)
        }
    }

    /// The demo's server is in this process: no proxy can reach it.
    ///
    /// Before any other thread runs.
    private static func withoutProxies(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in
            guard name.lowercased().hasSuffix("_proxy") else { return true }
            unsafe _ = unsetenv(name)
            return false
        }
    }
}
