// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "RealmFileFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RealmFile", path: "../..")],
    targets: [
        // The same properties as in the package's own tests.
        .target(name: "HostileProperties", dependencies: [.product(name: "RealmFile", package: "RealmFile")]),
        // `run` builds it; its `main` is that of libFuzzer.
        .executableTarget(name: "FuzzReader", dependencies: ["HostileProperties"]),
    ]
)
