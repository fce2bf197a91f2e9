import FoundationEssentials
import Testing

@Suite("The layers", .timeLimit(.minutes(5))) struct LayerTests {
    @Test("Every target depends only on what its layer may")
    func dependencies() async throws {
        let package = try await PackageDescription.ask()
        let targets = package.targets.filter { $0.type != "test" && $0.type != "system-target" }
        #expect(targets.contains { $0.name == "WhirlCore" })
        let faults = targets.flatMap { target in
            (target.dependencies ?? []).compactMap { Layers.fault(target: target.name, dependsOn: $0) }
        }
        #expect(faults == [])
    }

    @Test("Every source file imports only what its layer may")
    func imports() async throws {
        let package = try await PackageDescription.ask()
        var faults: [String] = []
        var files = 0
        for target in package.targets where target.type != "test" && target.type != "system-target" {
            for file in target.sources {
                let source = try String(contentsOfFile: "\(package.path)/\(target.path)/\(file)", encoding: .utf8)
                files += 1
                faults += Layers.imports(of: source).compactMap {
                    Layers.fault(target: target.name, file: file, imports: $0)
                }
            }
        }
        #expect(faults == [])
        #expect(files > 50)
    }

    @Test(
        "An import is seen in whatever form",
        arguments: [
            "import A", "public import A", "  @testable import A", "@preconcurrency import struct A.B", "import A.B.C",
            "\timport A; import B", "@_exported public import A // why", "private\timport A",
        ])
    func forms(line: String) { #expect(Layers.imports(of: "// import X\n\(line)\nlet important = 1").first == "A") }

    @Test(
        "What breaks a layer is found",
        arguments: [
            ("WhirlCore", "TaskID.swift", "Glibc"), ("WhirlCore", "TaskID.swift", "FoundationEssentials"),
            ("WhirlCore", "TaskID.swift", "WhirlBoard"), ("WhirlCurl", "A.swift", "FoundationNetworking"),
            ("WhirlCurl", "A.swift", "WhirlSession"), ("WhirlSession", "A.swift", "WhirlCurl"),
            ("WhirlSession", "A.swift", "Foundation"), ("WhirlBoard", "A.swift", "WhirlSession"),
            ("WhirlPlainLog", "A.swift", "CWhirlNCurses"), ("WhirlNCurses", "A.swift", "WhirlSession"),
            ("WhirlLauncher", "Run.swift", "WhirlCurl"), ("whirl", "main.swift", "WhirlCore"),
            ("New", "A.swift", "WhirlCore"),
        ])
    func broken(target: String, file: String, module: String) {
        #expect(Layers.fault(target: target, file: file, imports: module) != nil)
    }

    @Test(
        "What a layer may is no fault",
        arguments: [
            ("WhirlCore", "Mutex+Sanitizer.swift", "Glibc"), ("WhirlCore", "TaskID.swift", "Synchronization"),
            ("WhirlURLSession", "A.swift", "FoundationNetworking"), ("WhirlLauncher", "Wiring.swift", "WhirlCurl"),
        ])
    func allowed(target: String, file: String, module: String) {
        #expect(Layers.fault(target: target, file: file, imports: module) == nil)
    }
}
