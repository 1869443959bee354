// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "RealmFileFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RealmFile", path: "../..")],
    targets: [
        // The same properties as in the package's own tests.
        .target(
            name: "HostileProperties",
            dependencies: [
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmExchange", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                // With its module of transactions.
                .product(name: "RealmObjects", package: "RealmFile"),
            ]),
        // Shared by the targets: the mutation of inputs.
        .target(name: "Mutation"),
        // `run` builds these; their `main` is that of libFuzzer.
        .executableTarget(name: "FuzzReader", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzLegacy", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzExport", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzEncrypted", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzImport", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzVerify", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzChange", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzQuery", dependencies: ["HostileProperties", "Mutation"]),
        .executableTarget(name: "FuzzSalvage", dependencies: ["HostileProperties", "Mutation"]),
    ]
)
