// swift-tools-version: 6.3
import PackageDescription

/// All library and tool targets have the same strict settings. Test targets cannot have them, because the expansions of
/// `@Test` and `#expect` use unsafe constructs.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The name of libbson in pkg-config, which depends on the system: most Linux distributions have 1.x, Homebrew and the
/// newest distributions 2.x. A manifest cannot look it up; the scripts in `tools` do, and set the variable.
#if os(macOS)
    let usualLibbson = "bson2"
    let usualLibedit: String? = nil
#else
    let usualLibbson = "libbson-1.0"
    let usualLibedit: String? = "libedit"
#endif
let libbson = Context.environment["REALMFILE_LIBBSON"] ?? usualLibbson

let package = Package(
    name: "RealmFile",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "RealmFile", targets: ["RealmFile"]),
        .library(name: "RealmForensics", targets: ["RealmForensics"]),
        .library(name: "RealmExchange", targets: ["RealmExchange"]),
        .library(name: "RealmObjects", targets: ["RealmObjects"]),
        .executable(name: "realmfile", targets: ["RealmFileTool"]),
    ],
    traits: [
        // Clients can set `traits: []` to omit the command line and its dependencies, which are then not even resolved.
        .trait(name: "Tool", description: "The command line tool realmfile."),
        .default(enabledTraits: ["Tool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        // The format as data and pure codecs.
        .target(name: "RealmLayout", swiftSettings: strict),
        // The C library of the system.
        .target(name: "RealmSystem", path: "Sources/RealmStorage/System", swiftSettings: strict),
        // The identity of the current thread, in C, as Swift has no thread-local variables.
        .target(name: "CThreadNumber", path: "Sources/RealmStorage/ThreadNumber"),
        // Input and output of bytes.
        .target(
            name: "RealmStorage",
            // Apple platforms have CommonCrypto.
            dependencies: [
                "RealmSystem", "CThreadNumber", "RealmLayout",
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux])),
            ],
            exclude: ["System", "ThreadNumber"],
            swiftSettings: strict),
        // Borrowed, validated views on the bytes; encoders and copies.
        .target(
            name: "RealmCore", dependencies: ["RealmSystem", "RealmLayout", "RealmStorage"], swiftSettings: strict),
        // New databases, and changes of databases in place.
        .target(name: "RealmStore", dependencies: ["RealmLayout", "RealmStorage", "RealmCore"], swiftSettings: strict),
        // Realm Query Language.
        .target(
            name: "RealmQuery", dependencies: ["RealmSystem", "RealmLayout", "RealmStorage", "RealmCore"],
            swiftSettings: strict),
        // Files as evidence: checks, recovery, content, single nodes.
        .target(
            name: "RealmForensics", dependencies: ["RealmLayout", "RealmStorage", "RealmCore"], swiftSettings: strict),
        // The public library: to read, ask and change.
        .target(
            name: "RealmFile", dependencies: ["RealmLayout", "RealmStorage", "RealmCore", "RealmStore", "RealmQuery"],
            swiftSettings: strict),
        // The API of RealmSwift.
        .target(
            name: "RealmObjects",
            dependencies: ["RealmLayout", "RealmStorage", "RealmCore", "RealmStore", "RealmQuery", "CSwiftMetadata"],
            swiftSettings: strict),
        // Class metadata written by the compiler, and CoreFoundation's run loops.
        .target(name: "CSwiftMetadata"),
        // Documents: BSON, Extended JSON, JSON, CSV, schemas.
        .target(
            name: "RealmExchange",
            dependencies: ["RealmSystem", "RealmLayout", "RealmStorage", "RealmCore", "CLibBSON", "CJSONC", "CZlib"],
            swiftSettings: strict),
        // One file for each command; the executable contains `@main` only. Its target is not named `realmfile`, because
        // that name equals `RealmFile` on a case-insensitive file system.
        .target(
            name: "RealmFileCommands",
            dependencies: [
                "RealmSystem", "RealmLayout", "RealmStorage", "RealmCore", "RealmForensics", "RealmExchange",
                "RealmQuery",
                .target(name: "CLibEdit", condition: .when(traits: ["Tool"])),
                .target(name: "CPCRE2", condition: .when(traits: ["Tool"])),
                .target(name: "CMiniZip", condition: .when(traits: ["Tool"])),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tool"])),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "RealmFileTool", dependencies: ["RealmSystem", "RealmFileCommands"], swiftSettings: strict),
        .testTarget(name: "RealmLayoutTests", dependencies: ["RealmLayout", "TestSupport"]),
        // Expectations on conditions, as functions that compile faster than `#expect`.
        .target(name: "Expectations", path: "Tests/Expectations"),
        // Shared by tests: known files, and their content in one form for all readers.
        .target(
            name: "TestSupport",
            dependencies: ["RealmLayout", "RealmStorage", "RealmCore", "RealmForensics", "CJSONC", "CZlib"],
            path: "Tests/TestSupport"),
        // Databases of random content, and their content in one form.
        .target(
            name: "WriterTestSupport", dependencies: ["RealmLayout", "RealmCore", "RealmStore", "TestSupport"],
            path: "Tests/WriterTestSupport"),
        // Annotations of locks for ThreadSanitizer.
        .target(name: "LockHandover", path: "Tests/LockHandover"),
        // Changing databases, on disks that lose unsynchronised data.
        .target(
            name: "TransactionTestSupport",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmForensics", "RealmStore", "TestSupport",
                "WriterTestSupport", "LockHandover",
            ],
            path: "Tests/TransactionTestSupport"),
        // Hundreds of thousands of simulated power failures, and a process that tests kill (`tools/crash`).
        .executableTarget(
            name: "CrashTool", dependencies: ["RealmStorage", "TransactionTestSupport"], path: "Tests/CrashTool"),
        // A process that writes to a file while tests read it.
        .executableTarget(
            name: "LiveWriter", dependencies: ["RealmStore", "TestSupport"], path: "Tests/LiveWriter"),
        // Properties that must hold for any bytes; the fuzz targets of the nested package use the same source.
        .target(
            name: "HostileProperties",
            dependencies: ["RealmFile", "RealmForensics", "RealmExchange", "RealmStore", "CLibCrypto"],
            path: "tools/fuzz/Sources/HostileProperties"),
        .testTarget(
            name: "RealmStorageTests",
            dependencies: ["RealmLayout", "RealmStorage", "TestSupport", "HostileProperties"]),
        .testTarget(
            name: "RealmCoreTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmStore", "RealmForensics", "TestSupport",
                "WriterTestSupport", "HostileProperties", "LiveWriter", "LockHandover",
            ]),
        .testTarget(
            name: "RealmForensicsTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmStore", "RealmForensics", "TestSupport",
                "WriterTestSupport", "HostileProperties",
            ]),
        .testTarget(
            name: "RealmStoreTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmStore", "RealmForensics", "TestSupport",
                "WriterTestSupport", "TransactionTestSupport", "HostileProperties", "LiveWriter", "CrashTool",
            ]),
        // Runs the tool in this process, and records its output.
        .target(
            name: "CommandTestSupport", dependencies: ["RealmStorage", "RealmFileCommands", "TestSupport"],
            path: "Tests/CommandTestSupport"),
        .testTarget(
            name: "RealmFileCommandsTests",
            dependencies: [
                "RealmFileCommands", "RealmFileTool", "TestSupport", "CommandTestSupport", "HostileProperties",
                "LiveWriter",
            ],
            exclude: ["Cases"]),
        .testTarget(
            name: "RealmQueryTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmStore", "RealmQuery", "TestSupport",
                "WriterTestSupport",
            ],
            exclude: ["Truth"]),
        // Random programs of live objects, compared with a model in memory.
        .target(
            name: "ObjectPrograms", dependencies: ["RealmObjects", "RealmStorage", "RealmForensics"],
            path: "Tests/ObjectPrograms"),
        // Runs very many of them (`tools/crash objects`).
        .executableTarget(
            name: "ObjectProgramTool", dependencies: ["ObjectPrograms"], path: "Tests/ObjectProgramTool"),
        .testTarget(
            name: "RealmObjectsTests",
            dependencies: [
                "RealmObjects", "RealmLayout", "RealmStorage", "RealmCore", "RealmForensics", "LockHandover",
                "TestSupport", "ObjectPrograms",
            ]),
        .testTarget(
            name: "RealmExchangeTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmForensics", "RealmExchange", "TestSupport",
                "HostileProperties", "CLibBSON", "CJSONC", "CZlib",
            ]),
        // The library from a client's point of view: these tests import only the products of this package.
        .testTarget(
            name: "APITests", dependencies: ["RealmFile", "RealmForensics", "RealmExchange", "RealmObjects"],
            exclude: ["PublicSymbols.txt"]),
        // The examples of live objects, which are only compiled. They are not linked with tests, because their models
        // would be among the classes of the program.
        .target(name: "ObjectExamples", dependencies: ["RealmObjects"], path: "Tests/ObjectExamples"),
        // Properties that must hold for any bytes, tested with many bytes.
        .testTarget(
            name: "HostileInputTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmCore", "RealmForensics", "RealmExchange", "TestSupport",
                "HostileProperties", "CLibBSON",
            ]),
        // C libraries of the system.
        .systemLibrary(
            name: "CLibBSON", pkgConfig: libbson,
            providers: [.apt(["libbson-dev"]), .brew(["mongo-c-driver"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CJSONC", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"]), .brew(["json-c"])]),
        // Line editing for the shell. macOS has it without a pkg-config file.
        .systemLibrary(
            name: "CLibEdit", pkgConfig: usualLibedit, providers: [.apt(["libedit-dev"])]),
        // Regular expressions.
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        // ZIP archives, by the authors of zlib: for repair and doctor.
        .systemLibrary(
            name: "CMiniZip", pkgConfig: "minizip", providers: [.apt(["libminizip-dev"]), .brew(["minizip"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    ]
)

// Tests are half of a release build, and gain nothing from optimisation: the code under test and the test support are
// optimised all the same. Other packages can still depend on this one, because they do not build its tests.
for target in package.targets where target.type == .test {
    target.dependencies.append("Expectations")
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// SwiftPM has no option to build some of the test targets: `tools/test --only` and `--sanitize` set a variable to build
// only the named ones and their dependencies.
if let chosenTests = Context.environment["REALMFILE_ONLY_TESTS"] {
    var needed: Set<String> = []
    var open = chosenTests.split(separator: ",").map(String.init)
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): open.append(name)
            default: break
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}
