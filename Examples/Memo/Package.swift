// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Memo",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "RealmFile", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "memo", dependencies: [.product(name: "RealmObjects", package: "RealmFile")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
