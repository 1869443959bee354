import Expectations
import Foundation
import Testing

/// The public API of the products; any change shows in `PublicSymbols.txt`.
@Suite struct SymbolTests {
    /// The modules that clients of `RealmFile` see.
    private static let exported = "RealmLayout,RealmStorage,RealmCore,RealmQuery,RealmStore"

    @Test func `the public symbols are the chosen ones, and types have examples in their comments`() throws {
        let build = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let modules = build.appending(path: "Modules")
        guard FileManager.default.fileExists(atPath: modules.path) else {
            return print("The modules of this build are not beside the tests; tools/api looks where they are.")
        }
        var text = ""
        var types: [String: Set<String>] = [:]
        for product in ["RealmFile", "RealmForensics", "RealmExchange", "RealmObjects"] {
            let symbols = try symbols(of: product, modules)
            let lines = Set(symbols.map(\.line)).sorted()
            expect(lines.count > 50, "the symbols of \(product) were not found")
            if product == "RealmObjects" { try compare(symbols) }
            let lacking = symbols.filter { $0.isType && !$0.hasExample }.map { $0.pathComponents.joined() }
            expect(lacking.isEmpty, "without an example: \(lacking.sorted().joined(separator: ", "))")
            types[product] = Set(
                symbols.filter { $0.isType }.map { $0.pathComponents[0] })
            text += "# \(product)\n" + lines.joined(separator: "\n") + "\n\n"
        }
        try GoldenFile("PublicSymbols.txt").expectText(text, "the public surface")
        // Programs may import RealmSwift, or RealmObjects, together with the other products: no type name may be
        // ambiguous.
        let ofRealmSwift = types["RealmObjects", default: []]
        expect(ofRealmSwift.contains("PropertyType") && ofRealmSwift.contains("Query"))
        for (product, names) in types where product != "RealmObjects" {
            expectEqual(names.intersection(ofRealmSwift), [], "\(product)")
        }
    }

    private func symbols(of product: String, _ modules: URL) throws -> [Graph.Symbol] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try extract(product, modules, to: folder)
        return try symbols(in: folder)
    }

    /// Compares the declarations with the migration guide for RealmSwift: supported ones exist, unsupported ones do
    /// not.
    private func compare(_ symbols: [Graph.Symbol]) throws {
        let guide = Kennel.project.appending(path: "Sources/RealmObjects/RealmObjects.docc/LeavingRealmSwift.md")
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        expect(rows.count > 20, "the table was not found")
        let words = Set(
            symbols.filter { !$0.isUnavailable }.flatMap {
                $0.line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            })
        // Declarations that need Combine are searched in the source, for systems without Combine.
        let folder = Kennel.project.appending(path: "Sources/RealmObjects/Combine")
        let publishing = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }.joined()
        // Declarations with a parameter that symbol graphs omit.
        let hidden = ["Codable", "asyncWrite"]
        for row in rows {
            let cells = row.split(separator: "|").map(String.init)
            let names = cells[0].split(separator: "`").map { code in
                String(code.drop { $0 == "@" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            }.filter { !$0.isEmpty && !$0.hasPrefix("_") }
            for name in names where cells[1].hasPrefix(" works") || cells[1].hasPrefix(" differs") {
                expect(words.contains(name) || hidden.contains(name), "\(name) is said to work")
            }
            for name in names where cells[1].hasPrefix(" with Combine") {
                expect(publishing.contains(" \(name)"), "\(name) is said to work with Combine")
            }
            for name in names where cells[1].hasPrefix(" not offered") && name != "objc" {
                expect(!words.contains(name), "\(name) is said not to be offered")
            }
        }
    }

    private func extract(_ module: String, _ modules: URL, to folder: URL) throws {
        #if os(macOS)
            let system = "apple-macosx15.0"
        #else
            let system = "unknown-linux-gnu"
        #endif
        #if arch(arm64)
            let machine = system.hasPrefix("apple") ? "arm64" : "aarch64"
        #else
            let machine = "x86_64"
        #endif
        let sources = Kennel.project.appending(path: "Sources")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swift", "symbolgraph-extract", "-module-name", module, "-I", modules.path, "-target",
                "\(machine)-\(system)", "-minimum-access-level", "public", "-skip-synthesized-members",
                "-output-dir", folder.path,
            ]
            + (module == "RealmFile" ? ["-experimental-allowed-reexported-modules=\(Self.exported)"] : [])
            + [
                "CLibBSON", "CLibCrypto", "CJSONC", "CZlib", "CSwiftMetadata/include",
                "RealmStorage/ThreadNumber/include",
            ].flatMap {
                ["-I", sources.appending(path: $0).path]
            }
            + headers()
        try process.run()
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0)
    }

    /// The folder of the headers of libbson, which on most systems is not in the search path of compilers.
    private func headers() -> [String] {
        let known = ProcessInfo.processInfo.environment["REALMFILE_LIBBSON"]
        for name in [known, "libbson-1.0", "bson2"].compactMap({ $0 }) {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["pkg-config", "--cflags-only-I", name]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = Pipe()
            guard (try? process.run()) != nil else { return [] }
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus == 0 { return text.split(whereSeparator: \.isWhitespace).map(String.init) }
        }
        return []
    }

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Fragment: Decodable { let spelling: String }
            struct Kind: Decodable { let identifier: String }
            struct Comment: Decodable {
                struct Line: Decodable { let text: String }
                let lines: [Line]
            }
            struct Availability: Decodable {
                let domain: String?
                let isUnconditionallyUnavailable: Bool?
            }
            let pathComponents: [String]
            let availability: [Availability]?
            let declarationFragments: [Fragment]?
            let kind: Kind
            let docComment: Comment?

            /// Whether it is a top-level type that users name.
            var isType: Bool {
                pathComponents.count == 1 && !pathComponents[0].hasPrefix("_")
                    && !isUnavailable
                    && ["swift.struct", "swift.class", "swift.enum", "swift.protocol"].contains(kind.identifier)
            }

            /// Whether it exists only to explain that it is unavailable; on Linux, symbol graphs omit these.
            var isUnavailable: Bool {
                availability?.contains { $0.domain == "*" && $0.isUnconditionallyUnavailable == true } ?? false
            }

            var hasExample: Bool { docComment?.lines.contains { $0.text == "```swift" } ?? false }

            var line: String {
                let declaration = (declarationFragments ?? []).map(\.spelling).joined()
                let line = (pathComponents.dropLast() + [declaration]).joined(separator: " . ")
                return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
        }
        let symbols: [Symbol]
    }

    private func symbols(in folder: URL) throws -> [Graph.Symbol] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap { file in
            try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols
        }
    }
}
