// swift-tools-version: 6.3
import PackageDescription

/// Every library and tool target is held to the same rules; test targets cannot be, because the expansions of
/// `@Test` and `#expect` use unsafe constructs.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Depends on the environment because systems differ in what pkg-config calls libbson: 1.x is what most Linux distributions carry, 2.x
/// what Homebrew and the newest ones do, and a manifest cannot look. The scripts in `tools` do, and set the variable.
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
        .library(name: "RealmExchange", targets: ["RealmExchange"]),
        .library(name: "RealmQuery", targets: ["RealmQuery"]),
        .library(name: "RealmObjects", targets: ["RealmObjects"]),
        .executable(name: "realmfile", targets: ["RealmFileTool"]),
    ],
    traits: [
        // A client says `traits: []`: it needs no command line, and what that needs is not even looked up.
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
        .target(name: "RealmSystem", swiftSettings: strict),
        // Which thread asks, in C, as Swift has no variables of threads.
        .target(name: "CThreadNumber"),
        // Where bytes come from and go to.
        .target(
            name: "RealmStorage",
            // Apple's systems have CommonCrypto.
            dependencies: [
                "RealmSystem", "CThreadNumber", "RealmLayout",
                .target(name: "CLibCrypto", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),
        // Borrowed, validated views on the bytes.
        .target(name: "RealmReader", dependencies: ["RealmLayout", "RealmStorage"], swiftSettings: strict),
        // Whether two files hold the same: hashes of the content, and differences.
        .target(
            name: "RealmContent", dependencies: ["RealmLayout", "RealmStorage", "RealmReader"], swiftSettings: strict),
        // A file node by node, for people who look into it.
        .target(
            name: "RealmInspection", dependencies: ["RealmLayout", "RealmStorage", "RealmReader"],
            swiftSettings: strict),
        // Whole-file checks.
        .target(
            name: "RealmVerifier", dependencies: ["RealmLayout", "RealmStorage", "RealmReader", "RealmContent"],
            swiftSettings: strict),
        // New files: from objects, and copies.
        .target(
            name: "RealmWriter", dependencies: ["RealmSystem", "RealmLayout", "RealmStorage", "RealmReader"],
            swiftSettings: strict),
        // Databases that change in place.
        .target(
            name: "RealmTransactions",
            dependencies: ["RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmWriter"],
            swiftSettings: strict),
        // What can be had of damaged files: commits that no header leads to, and salvage.
        .target(
            name: "RealmRescue",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmVerifier", "RealmWriter",
            ],
            swiftSettings: strict),
        // The public library.
        .target(
            name: "RealmFile",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "RealmVerifier",
                "RealmWriter", "RealmTransactions", "RealmRescue",
            ],
            swiftSettings: strict),
        // Realm Query Language.
        .target(
            name: "RealmQuery", dependencies: ["RealmSystem", "RealmLayout", "RealmStorage", "RealmReader"],
            swiftSettings: strict),
        // The API of RealmSwift.
        .target(
            name: "RealmObjects",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmWriter", "RealmTransactions", "RealmQuery",
                "CSwiftMetadata",
            ],
            swiftSettings: strict),
        // What the compiler writes of classes, and run loops of programs that have them.
        .target(name: "CSwiftMetadata"),
        // Documents: BSON, Extended JSON, JSON, CSV, schemas.
        .target(
            name: "RealmExchange",
            dependencies: [
                "RealmSystem", "RealmLayout", "RealmStorage", "RealmReader", "RealmWriter", "CLibBSON", "CJSONC",
                "CZlib",
            ],
            swiftSettings: strict),
        // One command a file; the executable holds `@main` only. Its target is not called `realmfile`, because
        // that name and `RealmFile` are one on a file system that ignores case.
        .target(
            name: "RealmFileCommands",
            dependencies: [
                "RealmSystem", "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection",
                "RealmVerifier",
                "RealmWriter", "RealmRescue", "RealmExchange", "RealmQuery",
                .target(name: "CLibEdit", condition: .when(traits: ["Tool"])),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tool"])),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "RealmFileTool", dependencies: ["RealmSystem", "RealmFileCommands"], swiftSettings: strict),
        .testTarget(name: "RealmLayoutTests", dependencies: ["RealmLayout", "TestSupport"]),
        // Conditions that tests expect, as functions: cheaper to compile than `#expect`.
        .target(name: "Expectations", path: "Tests/Expectations"),
        // What tests share: known files, and their content in one form whoever read it.
        .target(
            name: "TestSupport",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "RealmVerifier",
                "CJSONC", "CZlib",
            ],
            path: "Tests/TestSupport"),
        // Databases of random content, and what is in them in one form.
        .target(
            name: "WriterTestSupport", dependencies: ["RealmLayout", "RealmReader", "RealmWriter", "TestSupport"],
            path: "Tests/WriterTestSupport"),
        // What ThreadSanitizer has to be told of locks.
        .target(name: "LockHandover", path: "Tests/LockHandover"),
        // Databases that change, on disks that lose what they were not told to keep.
        .target(
            name: "TransactionTestSupport",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmVerifier", "RealmWriter",
                "RealmTransactions", "TestSupport", "WriterTestSupport", "LockHandover",
            ],
            path: "Tests/TransactionTestSupport"),
        // Losses of power by the hundred thousand, and a process that tests kill (`tools/crash`).
        .executableTarget(
            name: "CrashTool", dependencies: ["RealmStorage", "TransactionTestSupport"], path: "Tests/CrashTool"),
        // A process that writes to a file while tests read it.
        .executableTarget(
            name: "LiveWriter", dependencies: ["RealmTransactions", "TestSupport"], path: "Tests/LiveWriter"),
        // What must hold for all bytes; the fuzz targets of the nested package use the same source.
        .target(
            name: "HostileProperties",
            dependencies: ["RealmFile", "RealmExchange", "RealmQuery", "RealmTransactions", "CLibCrypto"],
            path: "tools/fuzz/Sources/HostileProperties"),
        .testTarget(
            name: "RealmStorageTests",
            dependencies: ["RealmLayout", "RealmStorage", "TestSupport", "HostileProperties"]),
        .testTarget(
            name: "RealmReaderTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "TestSupport",
                "HostileProperties", "LiveWriter", "LockHandover",
            ]),
        .testTarget(
            name: "RealmVerifierTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "RealmVerifier",
                "TestSupport",
            ]),
        .testTarget(
            name: "RealmWriterTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "RealmVerifier",
                "RealmWriter", "RealmRescue", "TestSupport", "WriterTestSupport", "HostileProperties",
            ]),
        .testTarget(
            name: "RealmTransactionsTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmVerifier", "RealmWriter",
                "RealmTransactions", "TestSupport", "WriterTestSupport", "TransactionTestSupport",
                "LiveWriter", "CrashTool",
            ]),
        // The tool in this process, and what it says.
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
                "RealmLayout", "RealmStorage", "RealmReader", "RealmWriter", "RealmTransactions", "RealmQuery",
                "TestSupport",
                "WriterTestSupport",
            ],
            exclude: ["Truth"]),
        // Random programs of live objects, beside the same in memory.
        .target(
            name: "ObjectPrograms", dependencies: ["RealmObjects", "RealmStorage", "RealmVerifier"],
            path: "Tests/ObjectPrograms"),
        // Very many of them (`tools/crash objects`).
        .executableTarget(
            name: "ObjectProgramTool", dependencies: ["ObjectPrograms"], path: "Tests/ObjectProgramTool"),
        .testTarget(
            name: "RealmObjectsTests",
            dependencies: [
                "RealmObjects", "RealmLayout", "RealmStorage", "RealmReader", "RealmVerifier", "LockHandover",
                "RealmContent", "TestSupport", "ObjectPrograms",
            ]),
        .testTarget(
            name: "RealmExchangeTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "RealmVerifier",
                "RealmWriter", "RealmRescue", "RealmExchange", "TestSupport", "HostileProperties", "CLibBSON", "CJSONC",
                "CZlib",
            ]),
        // The library as a client sees it: these tests import the products and nothing else of this package.
        .testTarget(
            name: "APITests", dependencies: ["RealmFile", "RealmExchange", "RealmQuery", "RealmObjects"],
            exclude: ["PublicSymbols.txt"]),
        // The examples of live objects, which are compiled. No tests are linked with them: their models would be among the classes of the
        // program.
        .target(name: "ObjectExamples", dependencies: ["RealmObjects"], path: "Tests/ObjectExamples"),
        // What must hold for all bytes, for many bytes.
        .testTarget(
            name: "HostileInputTests",
            dependencies: [
                "RealmLayout", "RealmStorage", "RealmReader", "RealmContent", "RealmInspection", "RealmVerifier",
                "RealmWriter", "RealmRescue", "RealmExchange", "TestSupport", "HostileProperties", "CLibBSON",
            ]),
        // C libraries of the system.
        .systemLibrary(
            name: "CLibBSON", pkgConfig: libbson,
            providers: [.apt(["libbson-dev"]), .brew(["mongo-c-driver"])]),
        .systemLibrary(
            name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CJSONC", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"]), .brew(["json-c"])]),
        // Lines that are edited, for the shell. macOS has it without a description for pkg-config.
        .systemLibrary(
            name: "CLibEdit", pkgConfig: usualLibedit, providers: [.apt(["libedit-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    ]
)

// Of a release build tests are the half that nothing is gained by optimising: what they test, and what reads known content for
// them, is optimised all the same. Packages that depend on this one build no tests, and may.
for target in package.targets where target.type == .test {
    target.dependencies.append("Expectations")
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
}

// Depends on the environment because SwiftPM has no option that builds some test targets: `tools/test --only` and `--sanitize` build
// those that the variable names, and what these need.
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
