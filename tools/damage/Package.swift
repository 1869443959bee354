// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "RealmFileDamage",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "RealmFile", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "damage",
            dependencies: [
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "salvage",
            dependencies: [
                .product(name: "RealmFile", package: "RealmFile"),
                .product(name: "RealmForensics", package: "RealmFile"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
    ]
)
