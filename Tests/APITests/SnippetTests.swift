import Expectations
import Foundation
import Testing

/// Compiles the examples in README, docs and the documentation, as functions in `Snippets.swift`. Examples of live
/// objects are in the target `ObjectExamples`, because the two libraries have names in common.
@Suite struct SnippetTests {
    private struct Snippet {
        let place: String
        /// The module, the file and the position in it. Adding an example to one file leaves the names in all other
        /// files unchanged.
        let name: String
        let lines: [String]

        var isOfObjects: Bool {
            place.hasPrefix("Sources/RealmObjects/") || place == "docs/realmobjects.md"
                || lines.contains("import RealmObjects")
        }
    }

    @Test func `every Swift example of README and documentation is compiled as printed`() throws {
        let snippets = try documents().flatMap { try self.snippets(in: $0) }
        let ofObjects = snippets.filter { $0.isOfObjects }
        let others = snippets.filter { !$0.isOfObjects }
        expect(others.count >= 28 && ofObjects.count >= 40, "examples were not found")
        try GoldenFile("Snippets.swift").expectText(source(others), "an example")
        try GoldenFile("ObjectSnippets.swift", in: "ObjectExamples").expectText(
            source(ofObjects: ofObjects), "an example of live objects")
    }

    /// Modules that are not libraries.
    private static let unpublished = ["/RealmFileCommands/"]

    /// Returns README, the pages in docs, and the sources of the products' documentation.
    private func documents() throws -> [URL] {
        let sources = Kennel.project.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let documents = files.compactMap { $0 as? URL }.filter {
            let path = $0.path
            return ["swift", "md"].contains($0.pathExtension) && !Self.unpublished.contains { path.contains($0) }
        }
        let pages = try FileManager.default.contentsOfDirectory(
            at: Kennel.project.appending(path: "docs"), includingPropertiesForKeys: nil)
        return [Kennel.project.appending(path: "README.md")]
            + (pages.filter { $0.pathExtension == "md" } + documents).sorted { $0.path < $1.path }
    }

    private func snippets(in url: URL) throws -> [Snippet] {
        let root = Kennel.project.path + "/"
        let name = url.path.hasPrefix(root) ? String(url.path.dropFirst(root.count)) : url.path
        let parts = name.split(separator: "/")
        let module = parts.first == "Sources" ? "\(parts[1])_" : ""
        let file = url.deletingPathExtension().lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        let prefix = module + String(file)
        var found: [Snippet] = []
        var lines: [String]?
        for line in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n") {
            var line = line
            if url.pathExtension == "swift" {
                let text = line.drop { $0 == " " }
                guard text.hasPrefix("///") else {
                    lines = nil
                    continue
                }
                line = String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
            }
            if line == "```swift" {
                lines = []
            } else if line == "```", let complete = lines {
                let position = found.count + 1
                found.append(Snippet(place: name, name: "\(prefix)_\(position)", lines: complete))
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return found
    }

    /// Returns one function for each example, named after its file and its position there. The parameters are the
    /// variables that the examples presuppose.
    private func source(_ snippets: [Snippet]) -> String {
        var text = """
            // Made by tools/api --update of the examples in README, in docs and in the documentation.
            // swift-format-ignore-file
            import Foundation
            import RealmExchange
            import RealmFile
            import RealmForensics

            enum Snippets {

            """
        for snippet in snippets {
            text += """

                    // \(snippet.place)
                    func \(snippet.name)(
                        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
                        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
                    ) async throws {
                        do {

                """
            text += body(snippet)
        }
        return text + "}\n"
    }

    /// Returns the source for live objects, whose models are in `ObjectModels.swift`.
    private func source(ofObjects snippets: [Snippet]) -> String {
        var text = """
            // Made by tools/api --update of the examples in README, in docs and in the documentation.
            // swift-format-ignore-file
            import Foundation
            import RealmObjects

            @MainActor
            enum ObjectSnippets {

            """
        for snippet in snippets {
            text += """

                    // \(snippet.place)
                    func \(snippet.name)(
                        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
                        _ queue: DispatchQueue
                    ) async throws {
                        do {

                """
            text += body(snippet)
        }
        return text + "}\n"
    }

    private func body(_ snippet: Snippet) -> String {
        var text = ""
        for line in snippet.lines where !line.hasPrefix("import ") {
            text += line.isEmpty ? "\n" : "            \(line)\n"
        }
        return text + "        }\n    }\n"
    }
}
