// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "embed-core",
    dependencies: [.package(name: "whirl", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "embed-core", dependencies: [.product(name: "WhirlCore", package: "whirl")],
            path: "Sources/EmbedCore")
    ],
    swiftLanguageModes: [.v6]
)
