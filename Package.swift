// swift-tools-version: 6.3
import PackageDescription

// ThreadSanitizer builds (`TSAN=1 swift test --sanitize=thread`) replace the lock it cannot see into: Core/Mutex+Sanitizer.swift.
let sanitizer: [SwiftSetting] = Context.environment["TSAN"] == nil ? [] : [.define("SANITIZE_THREAD")]

let settings: [SwiftSetting] =
    [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0470-isolated-conformances.md
        .enableUpcomingFeature("InferIsolatedConformances"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0481-weak-let.md
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md
        .strictMemorySafety(),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0480-swiftpm-warning-control.md
        .treatAllWarnings(as: .error),
    ] + sanitizer

let curl: Target.Dependency = .target(name: "WhirlCurl", condition: .when(traits: ["Curl"]))
let urlSession: Target.Dependency = .target(name: "WhirlURLSession", condition: .when(traits: ["URLSession"]))
let nCurses: Target.Dependency = .target(name: "WhirlNCurses", condition: .when(traits: ["NCurses"]))

let package = Package(
    name: "whirl",
    products: [
        .executable(name: "whirl", targets: ["whirl"]),
        .library(name: "WhirlCore", targets: ["WhirlCore"]),
        .library(name: "WhirlCurl", targets: ["WhirlCurl"]),
        .library(name: "WhirlURLSession", targets: ["WhirlURLSession"]),
        .library(name: "WhirlSession", targets: ["WhirlSession"]),
        .library(name: "WhirlBoard", targets: ["WhirlBoard"]),
        .library(name: "WhirlNCurses", targets: ["WhirlNCurses"]),
        .library(name: "WhirlPlainLog", targets: ["WhirlPlainLog"]),
        .library(name: "WhirlJSONLines", targets: ["WhirlJSONLines"]),
        .library(name: "WhirlConformance", targets: ["WhirlConformance"]),
        .library(name: "WhirlLoopback", targets: ["WhirlLoopback"]),
        .library(name: "WhirlInMemory", targets: ["WhirlInMemory"]),
    ],
    traits: [
        .trait(name: "Curl", description: "The libcurl transport (libcurl4-openssl-dev)"),
        .trait(name: "URLSession", description: "The URLSession transport (FoundationNetworking)"),
        .trait(name: "NCurses", description: "The full-screen dashboard (libncurses-dev)"),
        .default(enabledTraits: ["Curl", "URLSession", "NCurses"]),
    ],
    targets: [
        // Core: nothing of ours.
        .target(name: "WhirlCore", path: "Core"),

        // A transport: Core and its C module.
        .systemLibrary(
            name: "CWhirlCurl", path: "Transports/CWhirlCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "WhirlCurl",
            dependencies: ["WhirlCore", .target(name: "CWhirlCurl", condition: .when(traits: ["Curl"]))],
            path: "Transports/Curl"),
        .target(name: "WhirlURLSession", dependencies: ["WhirlCore"], path: "Transports/URLSession"),
        .systemLibrary(name: "CWhirlCrypto", path: "Transports/CWhirlCrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "WhirlSession", dependencies: ["WhirlCore", "CWhirlCrypto"], path: "Transports/Session"),

        // A frontend: Core, Board and its C module.
        .target(name: "WhirlBoard", dependencies: ["WhirlCore"], path: "Frontends/Board"),
        .systemLibrary(
            name: "CWhirlNCurses", path: "Frontends/CWhirlNCurses", providers: [.apt(["libncurses-dev"])]),
        .target(
            name: "WhirlNCurses",
            dependencies: [
                "WhirlCore", "WhirlBoard", .target(name: "CWhirlNCurses", condition: .when(traits: ["NCurses"])),
            ],
            path: "Frontends/NCurses"),
        .target(name: "WhirlPlainLog", dependencies: ["WhirlCore", "WhirlBoard"], path: "Frontends/PlainLog"),
        .target(
            name: "WhirlJSONLines", dependencies: ["WhirlCore", "WhirlBoard"], path: "Frontends/JSONLines",
            exclude: ["whirl-1.schema.json"]),

        // The command.
        .systemLibrary(name: "CWhirlYAML", path: "Tools/CWhirlYAML", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "WhirlLauncher",
            dependencies: [
                "WhirlCore", "WhirlSession", "WhirlBoard", "WhirlPlainLog", "WhirlJSONLines", "WhirlLoopback",
                "CWhirlYAML", curl, urlSession, nCurses,
            ],
            path: "Tools/Launcher"),
        .executableTarget(name: "whirl", dependencies: ["WhirlLauncher"], path: "Tools/whirl"),

        // Test kits: products too, for whoever writes a transport or a frontend.
        .target(
            name: "WhirlConformance", dependencies: ["WhirlCore", "WhirlSession", "WhirlLoopback"],
            path: "Tests/Conformance", exclude: ["FAULTS.md"]),
        .target(name: "WhirlLoopback", path: "Tests/LoopbackServer"),
        .target(name: "WhirlInMemory", dependencies: ["WhirlCore"], path: "Tests/InMemory"),

        .testTarget(name: "CoreTests", dependencies: ["WhirlCore", "WhirlInMemory"], path: "Tests/CoreTests"),
        .testTarget(
            name: "TransportTests",
            dependencies: ["WhirlCore", "WhirlLoopback", curl, urlSession], path: "Tests/TransportTests"),
        .testTarget(
            name: "SessionTests",
            dependencies: ["WhirlCore", "WhirlSession", "WhirlInMemory", "WhirlLoopback", curl, urlSession],
            path: "Tests/SessionTests"),
        .testTarget(
            name: "FrontendTests",
            dependencies: ["WhirlCore", "WhirlBoard", "WhirlPlainLog", "WhirlJSONLines", "WhirlInMemory", nCurses],
            path: "Tests/FrontendTests", exclude: ["Golden"]),
        .testTarget(
            name: "LauncherTests",
            dependencies: [
                "WhirlCore", "WhirlSession", "WhirlBoard", "WhirlJSONLines", "WhirlLauncher", "WhirlLoopback",
            ],
            path: "Tests/LauncherTests"),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "WhirlCore", "WhirlConformance", "WhirlLoopback", "WhirlBoard", "WhirlPlainLog", "WhirlJSONLines", curl,
                urlSession, nCurses,
            ],
            path: "Tests/ConformanceTests"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "whirl", "WhirlCore", "WhirlBoard", "WhirlConformance", "WhirlInMemory", "WhirlLoopback", curl,
                urlSession,
            ],
            path: "Tests/EndToEndTests"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// Tools/check-sanitizer is about Core and the frontends: building the rest with the sanitizer too would take many minutes.
if Context.environment["TSAN"] == "core" {
    let kept = [
        "WhirlCore", "WhirlInMemory", "CoreTests", "WhirlBoard", "WhirlPlainLog", "WhirlJSONLines", "CWhirlNCurses",
        "WhirlNCurses", "FrontendTests",
    ]
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = [.library(name: "WhirlCore", targets: ["WhirlCore"])]
}
