// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Memo",
    platforms: [.macOS(.v15)],
    // A link to the folder above: of the folder itself SwiftPM would take the name, which may be this one's.
    dependencies: [.package(name: "RealmFile", path: "RealmFile", traits: [])],
    targets: [
        .executableTarget(
            name: "memo", dependencies: [.product(name: "RealmObjects", package: "RealmFile")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
