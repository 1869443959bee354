import Expectations
import Foundation
import TestSupport
import Testing

/// The description for Kaitai Struct (`Spec/realm.ksy`) agrees with the tables of the Spec.
struct KaitaiDescriptionTests {
    private static let url = KnownFile.packageRoot.appending(path: "Spec/realm.ksy")
    private let spec: SpecDocument
    private let description: PlainYAML

    init() throws {
        spec = try SpecDocument.load()
        description = try PlainYAML(parsing: String(contentsOf: Self.url, encoding: .utf8))
    }

    @Test func `the head names the format`() {
        expectEqual(description["meta"]?["id"]?.text, "realm")
        expectEqual(description["meta"]?["endian"]?.text, "le")
        expectEqual(
            description.members.map(\.key), ["meta", "doc", "doc-ref", "seq", "instances", "types", "enums"])
    }

    /// Types and enumerations that are used are defined, and identifiers are valid.
    @Test func `all types and enumerations in use are defined`() throws {
        let types = Set(try #require(description["types"]).members.map(\.key))
        let enumerations = Set(try #require(description["enums"]).members.map(\.key))
        let plain: Set = ["u1", "u8", "s1", "s2", "s4", "s8", "bool"]
        var named = 0
        func check(_ attribute: PlainYAML, _ place: String) throws {
            let cases = attribute["type"]?["cases"]?.members.map(\.value)
            for type in cases ?? [attribute["type"]].compactMap({ $0 }) {
                let name = try #require(type.text).prefix { $0 != "(" }
                expect(plain.contains(String(name)) || types.contains(String(name)), "\(place): \(name)")
                named += 1
            }
            if let name = attribute["enum"]?.text { expect(enumerations.contains(name), "\(place): \(name)") }
        }
        let all = [PlainYAML.Member(key: "realm", value: description)] + (description["types"]?.members ?? [])
        for (name, type) in all.map({ ($0.key, $0.value) }) {
            for attribute in (type["seq"]?.elements ?? []) + (type["params"]?.elements ?? []) {
                expect(attribute["id"]?.text?.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(name)")
                try check(attribute, name)
            }
            for instance in type["instances"]?.members ?? [] {
                expect(instance.key.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(name)")
                try check(instance.value, "\(name).\(instance.key)")
            }
        }
        expect(named > 40)
    }

    @Test func `the header matches the Spec`() throws {
        let fields = try #require(type("header")["seq"]).elements.flatMap { field -> [[String]] in
            let name = field["id"]?.text ?? ""
            let size = field["contents"]?.text?.utf8.count ?? Int(field["type"]?.text?.dropFirst() ?? "") ?? 0
            guard let count = field["repeat-expr"]?.text.flatMap({ Int($0) }) else { return [["\(size)", name]] }
            return (0..<count).map { ["\(size)", "\(name.dropLast())\($0)"] }
        }
        try expectEqual(spec.rows("file-header", ["size", "field"]).map { [$0[0], snake($0[1])] }, fields)
        expectEqual(type("header")["seq"]?.elements[1]["contents"]?.text, "T-DB")
    }

    @Test func `the flags of nodes match the Spec`() throws {
        let masks = try spec.rows("node-flags", ["mask", "field"])
        expectEqual(masks.map { $0[1] }, ["inner", "hasRefs", "context", "widthType", "widthCode"])
        let instances = ["is_inner", "has_refs", "is_context", "width_type", "width"]
        for (mask, instance) in zip(masks, instances) {
            let value = type("node")["instances"]?[instance]?["value"]?.text
            expectEqual(value?.contains("flags & \(mask[0])"), true, "\(instance)")
        }
    }

    /// Slots of records, in both directions.
    @Test func `slots of records match the Spec, in both directions`() throws {
        let records = [
            "group_top": "group-top", "table_top": "table-top", "spec": "spec-slots", "cluster_inner": "cluster-inner",
            "mixed_leaf": "mixed-slots", "legacy_table_top": "legacy-table-top", "legacy_spec": "legacy-spec-slots",
            "legacy_timestamps": "legacy-timestamp-slots", "legacy_mixed": "legacy-mixed-slots",
        ]
        let tables = spec.tables.filter { $0.columns.prefix(2) == ["slot", "field"] }.map(\.name)
        expectEqual(Set(records.values), Set(tables))
        for (record, table) in records {
            let slots = type(record)["instances"]?.members.compactMap { instance -> [String]? in
                guard let match = instance.value["value"]?.text?.wholeMatch(of: /node\.elements\[([0-9]+)\]/)
                else { return nil }
                expectEqual(instance.value["if"]?.text, "node.count > \(match.1)", "\(record).\(instance.key)")
                return [String(match.1), instance.key]
            }
            try expectEqual(spec.rows(table, ["slot", "field"]).map { [$0[0], snake($0[1])] }, slots, "\(record)")
        }
    }

    @Test func `the bits of column keys match the Spec`() throws {
        let fields = try spec.rows("column-key", ["bits", "field"]).map { row in
            let bounds = row[0].split(separator: "-").compactMap { Int($0) }
            let mask = UInt64(1) << UInt64(bounds[1] - bounds[0] + 1) - 1
            return [row[1], "(value >> \(bounds[0])) & 0x\(String(mask, radix: 16))"]
        }
        let instances = type("column_key")["instances"]?.members ?? []
        expectEqual(instances.map { [$0.key, $0.value["value"]?.text ?? ""] }, fields)
    }

    @Test func `enumerations match the Spec`() throws {
        let tables = [
            "width_type": ("width-types", "value"), "table_kind": ("table-kinds", "value"),
            "history_type": ("history-types", "value"), "column_type": ("column-types", "value"),
            "column_attribute": ("column-attributes", "value"),
            "legacy_column_type": ("legacy-column-types", "value"), "legacy_mixed_type": ("legacy-mixed-types", "type"),
        ]
        expectEqual(Set(description["enums"]?.members.map(\.key) ?? []), Set(tables.keys))
        for (name, (table, column)) in tables {
            let values = description["enums"]?[name]?.members.map { [$0.key, $0.value.text ?? ""] }
            try expectEqual(spec.rows(table, [column, "name"]).map { [$0[0], snake($0[1])] }, values, "\(name)")
        }
    }

    private static let compiler = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .flatMap { folder in
            ["kaitai-struct-compiler", "ksc"].map { URL(filePath: String(folder)).appending(path: $0) }
        }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    @Test(.enabled(if: compiler != nil, "needs kaitai-struct-compiler in the path"))
    func `the description compiles`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "realm-ksy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = Self.compiler
        process.arguments = ["--target", "python", "--outdir", folder.path, Self.url.path]
        try process.run()
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0)
        expect(FileManager.default.fileExists(atPath: folder.appending(path: "realm.py").path))
    }

    private func type(_ name: String) -> PlainYAML { description["types"]?[name] ?? .map([]) }

    /// Returns a name as written in Kaitai Struct: `table_names` for `tableNames`.
    private func snake(_ name: String) -> String {
        name.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2.lowercased())" }
    }
}
