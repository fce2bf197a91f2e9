// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "instruction-cost",
    dependencies: [.package(name: "whirl", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "instruction-cost",
            dependencies: [
                .product(name: "WhirlCore", package: "whirl"), .product(name: "WhirlBoard", package: "whirl"),
                .product(name: "WhirlSession", package: "whirl"), .product(name: "WhirlInMemory", package: "whirl"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
