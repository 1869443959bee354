// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// As in the main package.
#if os(macOS)
    let usualLibbson = "bson2"
#else
    let usualLibbson = "libbson-1.0"
#endif
let libbson = Context.environment["REALMFILE_LIBBSON"] ?? usualLibbson

let package = Package(
    name: "RealmFileBenchmark",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "RealmFile", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // The table of figures in README.md.
        .executableTarget(
            name: "ratios",
            dependencies: [
                "CBaseline", "CChild", "CContainer",
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                .product(name: "RealmExchange", package: "RealmFile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The speed of queries: `run --only query`.
        .executableTarget(
            name: "queries",
            dependencies: [
                "CChild", "MadeData",
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The speed of transactions: `run --only live`.
        .executableTarget(
            name: "live",
            dependencies: [
                "CChild",
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The speed of live objects: `run --only objects`.
        .executableTarget(
            name: "objects",
            dependencies: [
                "CChild", "MadeData",
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                .product(name: "RealmObjects", package: "RealmFile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The table for both measurements, and the code for measuring.
        .target(
            name: "MadeData", dependencies: ["CChild", .product(name: "RealmFile", package: "RealmFile")],
            swiftSettings: strict),
        // The baseline for all comparisons: libbson building the same documents. In C, without overhead.
        .target(name: "CBaseline", dependencies: ["CBSONHeaders"]),
        // Encrypted files, created and decrypted with libcrypto alone.
        .target(name: "CContainer", dependencies: ["CCryptoHeaders"]),
        .systemLibrary(
            name: "CCryptoHeaders", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        // Child processes and their resource usage as counted by the system.
        .target(name: "CChild"),
        .systemLibrary(
            name: "CBSONHeaders", pkgConfig: libbson,
            providers: [.apt(["libbson-dev"]), .brew(["mongo-c-driver"])]),
    ]
)
