internal import RealmExchange
internal import RealmFile
internal import RealmForensics

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Ways to import the same bytes.
public enum ImportForm: Int, CaseIterable, Sendable {
    /// As documents of a canonical export whose sidecar is `importSidecar`.
    case canonicalBSON, canonicalJSON
    /// As the sidecar of `importDocuments`.
    case sidecar
    /// Without a schema.
    case bson, extendedJSON, json, csv, archive, gzip
}

/// The schema of the documents in `canonicalBSON` and `canonicalJSON`: properties of many types.
public let importSidecar = """
    {"realmSchema": 1, "schemaVersion": 3, "keyEncoding": "percent", "classes": [
      {"table": "class_T", "kind": "topLevel", "primaryKey": "_id", "properties": [
        {"name": "_id", "type": "string", "nullable": true, "index": "general"},
        {"name": "i", "type": "int", "nullable": false, "index": "general"},
        {"name": "d", "type": "double", "nullable": true}, {"name": "f", "type": "float", "nullable": false},
        {"name": "s", "type": "string", "nullable": false, "index": "fullText"},
        {"name": "t", "type": "timestamp", "nullable": true}, {"name": "u", "type": "uuid", "nullable": true},
        {"name": "o", "type": "objectId", "nullable": false}, {"name": "c", "type": "decimal128", "nullable": true},
        {"name": "b", "type": "binary", "nullable": true}, {"name": "m", "type": "mixed", "nullable": true},
        {"name": "set", "type": "mixed", "nullable": true, "collection": "set"},
        {"name": "l", "type": "link", "nullable": true, "target": "class_T"},
        {"name": "ls", "type": "link", "nullable": false, "collection": "list", "target": "class_K"},
        {"name": "dict", "type": "int", "nullable": true, "collection": "dictionary", "keyType": "string"},
        {"name": "e", "type": "link", "nullable": true, "target": "class_E"},
        {"name": "es", "type": "link", "nullable": false, "collection": "list", "target": "class_E"}],
       "tombstones": [{"key": -2, "primaryKey": "gone"}],
       "unresolvedLinks": [{"object": 1, "property": "l", "table": "class_T", "target": -2}]},
      {"table": "class_K", "kind": "topLevel", "primaryKey": null, "properties": []},
      {"table": "class_E", "kind": "embedded", "primaryKey": null, "properties": [
        {"name": "n", "type": "int", "nullable": true},
        {"name": "e", "type": "link", "nullable": true, "target": "class_E"}]}]}
    """

/// Documents for `sidecar`.
public let importDocuments = """
    {"_id": "a", "i": {"$numberLong": "1"}, "d": 0.5, "f": 0.5, "s": "words in it", "o": \
    {"$oid": "0123456789abcdef01234567"}, "m": [1, {"x": null}], "l": "b", "dict": {"k%25": {"$numberLong": "1"}}, \
    "e": {"n": {"$numberLong": "1"}, "$realm": {"key": {"$numberLong": "0"}}}, "$realm": {"key": {"$numberLong": "0"}}}
    {"_id": "b", "i": {"$numberLong": "2"}, "f": 0.5, "s": "", "o": {"$oid": "0123456789abcdef01234567"}, "l": null, \
    "$realm": {"key": {"$numberLong": "1"}}}
    """

/// Imports `bytes` in one form. Replaces everything else in the folder. Returns for any bytes.
///
/// - Returns: violations: findings of the verifier in the new file.
public func importEverything(_ bytes: [UInt8], as form: ImportForm, in folder: String) -> [String] {
    let input = "\(folder)/input"
    var options = ImportOptions()
    options.className = "T"
    switch form {
    case .canonicalBSON, .canonicalJSON:
        write(Array(importSidecar.utf8), "\(folder)/schema.json")
        options.schemaPath = "\(folder)/schema.json"
        options.format = form == .canonicalBSON ? .bson : .extendedJSON
    case .sidecar:
        write(bytes, "\(folder)/schema.json")
        options.schemaPath = "\(folder)/schema.json"
        options.format = .extendedJSON
    case .bson, .gzip: options.format = .bson
    case .extendedJSON: options.format = .extendedJSON
    case .json: options.format = .json
    case .csv: options.format = .csv
    case .archive: break
    }
    write(prefix(of: form) + (form == .sidecar ? Array(importDocuments.utf8) : bytes), input)
    let output = "\(folder)/new.realm"
    do throws(ImportError) {
        let report = try Importer([input], options).run(to: output, overwrite: true)
        guard let source = try? ByteSource(path: output) else { return ["the new file cannot be read"] }
        let findings = Verification(level: .deep, maximumFindings: 5).run(on: source).findings
        // A wrapper may declare that a string is not UTF-8, as occurs in files.
        let mayBeMalformed = bytes.indices.contains { bytes[$0...].starts(with: "utf8".utf8) }
        var violations = findings.filter { $0.check != .tableName && !(mayBeMalformed && $0.check == .utf8) }.map {
            "\(form): \($0.place): \($0.message)"
        }
        if report.objects < 0 { violations.append("\(form): \(report.objects) objects") }
        return violations
    } catch {
        // An error must have a message.
        return "\(error)".isEmpty ? ["\(form): an error without words"] : []
    }
}

/// Imports bytes of which the first selects the form of the rest.
public func importEverything(_ bytes: [UInt8], in folder: String) -> [String] {
    guard let first = bytes.first else { return [] }
    let form = ImportForm.allCases[Int(first) % ImportForm.allCases.count]
    return importEverything(Array(bytes.dropFirst()), as: form, in: folder)
}

/// Returns the prefix that makes the reader use the form for the rest.
private func prefix(of form: ImportForm) -> [UInt8] {
    switch form {
    case .archive: [0x6D, 0xE2, 0x99, 0x81]
    case .gzip: [0x1F, 0x8B]
    default: []
    }
}

private func write(_ bytes: [UInt8], _ path: String) {
    guard let file = fopen(path, "wb") else { return }
    _ = fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}
