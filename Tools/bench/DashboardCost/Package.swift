// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "dashboard-cost",
    dependencies: [.package(name: "whirl", path: "../../..", traits: ["NCurses"])],
    targets: [
        .executableTarget(
            name: "dashboard-cost",
            dependencies: [
                .product(name: "WhirlCore", package: "whirl"), .product(name: "WhirlBoard", package: "whirl"),
                .product(name: "WhirlNCurses", package: "whirl"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
