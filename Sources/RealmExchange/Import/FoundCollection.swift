internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// A collection found in the files to import.
struct FoundCollection {
    let path: String
    /// The name for its class, unless a schema specifies another.
    let name: String
    /// Its file name without extensions; nil in an archive.
    let fileName: String?
    let format: DocumentFormat
    /// The collection within an archive.
    let archived: ArchiveDocuments.Collection?
    /// Whether these are embedded objects without an owner.
    let areOrphans: Bool
    /// The database of a folder or archive; nil for single files.
    var database: String?
    /// The metadata that the dump has for the collection.
    var metadata: JSONValue?
}

/// Finds the collections in folders, files and archives.
struct CollectionSearch {
    private let options: ImportOptions
    private(set) var found: [FoundCollection] = []
    /// Files and folders of unknown kind.
    private(set) var ignored: [String] = []
    /// Known data that is not imported.
    private(set) var notes: [ImportReport.Note] = []

    private let spilled: SpilledInputs

    init(_ options: ImportOptions, _ spilled: SpilledInputs) {
        self.options = options
        self.spilled = spilled
    }

    /// Names of files next to the documents that contain none.
    private static let others: Set<String> = [
        SidecarName.exactSchema, SidecarName.losses, "prelude.json", "oplog.bson",
        "system.indexes.bson",
    ]
    /// Descriptions of some of them, for users who look for them in the new file.
    private static let reasons = [
        "prelude.json": "what mongodump says of the server",
        "oplog.bson": "operations during the dump, which mongorestore --oplogReplay applies",
        "system.indexes.bson": "indexes as dumps before MongoDB 3.0 have them",
    ]
    /// MongoDB's internal databases.
    private static let internalDatabases: Set<String> = ["admin", "config", "local"]

    /// Adds the collections at a path.
    ///
    /// - Throws: `ImportError`; `noDocuments` for a file of unknown kind.
    mutating func add(_ path: String) throws(ImportError) {
        let count = found.count
        try search(path)
        guard options.database == nil else { return }
        var databases = Self.databases(of: found[count...])
        if databases.count > 1 {
            // Every dump of a whole server contains these, and they hold no user documents.
            let own = databases.filter { Self.internalDatabases.contains($0) }
            if own.count < databases.count {
                notes += own.map {
                    .init(path: "\(path)/\($0)", reason: "a database of MongoDB's own; --db \($0) imports it")
                }
                found = found[..<count] + found[count...].filter { !own.contains($0.database ?? "") }
                databases.removeAll { own.contains($0) }
            }
        }
        guard databases.count <= 1 else {
            throw .document(
                DocumentError(
                    .noDocuments,
                    "there are several databases, \(databases.map(\.singleLine).joined(separator: ", ")); choose one with --db"
                ).at(file: path))
        }
    }

    /// The database names of the collections, without duplicates.
    private static func databases(of collections: ArraySlice<FoundCollection>) -> [String] {
        var seen: Set<String> = []
        return collections.compactMap(\.database).filter { seen.insert($0).inserted }
    }

    private mutating func search(_ path: String) throws(ImportError) {
        guard spilled.isPlaceless(path) || !Folder.exists(path) else {
            try refuse(options.className, "--class names the documents of one file, not of a folder", path)
            return try add(folder: path)
        }
        if try isArchive(path) {
            try refuse(options.className, "--class names the documents of one file, not of an archive", path)
            return try add(archive: path)
        }
        try refuse(options.database, "--db chooses a database of a folder or archive, and this is one file", path)
        let file = DocumentFileName(String(path.split(separator: "/").last ?? ""))
        if options.format == nil, file == nil, try isDatabase(path) {
            throw .document(
                DocumentError(
                    .noDocuments, "it is a Realm file already; import makes one of documents, as export writes them"
                )
                .at(file: path))
        }
        guard let format = options.format ?? file?.format else {
            throw .document(
                DocumentError(
                    .noDocuments, "neither its name nor --format says what is in it: bson, ejson, json, csv or tsv"
                ).at(file: path))
        }
        let name: String
        var metadata: JSONValue?
        if let className = options.className {
            name = className
        } else if let file {
            metadata = try self.metadata(of: path, file)
            name = metadata?["collectionName"]?.text ?? file.base
        } else {
            throw .document(
                DocumentError(.noDocuments, "give the name of the class of these documents with --class").at(
                    file: path == "-" ? "standard input" : path))
        }
        found.append(
            FoundCollection(
                path: path, name: name, fileName: options.className == nil ? file?.base : nil, format: format,
                archived: nil, areOrphans: false, metadata: metadata))
    }

    /// Rejects an option that would have no effect.
    private func refuse(_ option: String?, _ words: String, _ path: String) throws(ImportError) {
        if option != nil { throw .document(DocumentError(.noDocuments, words).at(file: path)) }
    }

    private mutating func add(folder: String) throws(ImportError) {
        // Files directly in the folder belong to the database of that name.
        let isWanted = options.database.map {
            folder.split(separator: "/").last.map(String.init) == CollectionFileName($0).text
        }
        let names = try names(in: folder)
        let own = folder.split(separator: "/").last.map(String.init) ?? folder
        if isWanted ?? true { try add(names, in: folder, of: own, areOrphans: false) }
        // With the sidecar of an earlier version, subfolders are databases whatever their names.
        let isTop = Folder.hasFile("\(folder)/\(SidecarName.exactSchema)")
        for name in names where Folder.exists("\(folder)/\(name)") {
            if name == SidecarName.orphans, !isTop, !SidecarName.isBeside("\(folder)/\(name)") {
                try add(self.names(in: "\(folder)/\(name)"), in: "\(folder)/\(name)", of: own, areOrphans: true)
            } else if name == SidecarName.folder, SidecarName.isBeside(folder) {
                continue
            } else if !isSchemas("\(folder)/\(name)", name),
                options.database.map({ CollectionFileName($0).text == name }) ?? true
            {
                let database = "\(folder)/\(name)"
                let inside = try self.names(in: database)
                try add(inside, in: database, of: name, areOrphans: false)
                for other in inside where Folder.exists("\(database)/\(other)") {
                    if other == SidecarName.orphans {
                        let orphans = "\(database)/\(other)"
                        try add(self.names(in: orphans), in: orphans, of: name, areOrphans: true)
                    } else if other != SidecarName.folder || !SidecarName.isBeside(database) {
                        ignored.append("\(database)/\(other)")
                    }
                }
            }
        }
    }

    /// Whether a folder contains the schemas of documents, rather than a database of that name.
    private func isSchemas(_ folder: String, _ name: String) -> Bool {
        (name == SidecarName.schemas || name == SidecarName.otherSchemas)
            && Folder.hasFile("\(folder)/\(SidecarName.relationships)")
    }

    private func names(in folder: String) throws(ImportError) -> [String] {
        try importing { () throws(StorageError) in try Folder.names(folder) }
    }

    /// Adds those files of a folder that contain documents.
    private mutating func add(
        _ names: [String], in folder: String, of database: String, areOrphans: Bool
    ) throws(ImportError) {
        let documents = Set(names.compactMap { DocumentFileName($0)?.base })
        for name in names where Folder.hasFile("\(folder)/\(name)") {
            let path = "\(folder)/\(name)"
            if Self.others.contains(name) {
                if let reason = Self.reasons[name] { notes.append(.init(path: NativePath.shown(path), reason: reason)) }
                continue
            }
            if let base = DocumentFileName.baseOfMetadata(name), !documents.contains(base) {
                notes.append(.init(path: NativePath.shown(path), reason: Self.reason(forMetadata: path)))
            }
            if name == SidecarName.relationships, try DocumentRelationships(beside: path) != nil { continue }
            guard let file = DocumentFileName(name) else {
                if try isArchive(path) {
                    try add(archive: path)
                } else if !name.hasPrefix("."), !DocumentFileName.isMetadata(name) {
                    ignored.append(path)
                }
                continue
            }
            let metadata = try metadata(of: path, file)
            found.append(
                FoundCollection(
                    path: path, name: metadata?["collectionName"]?.text ?? file.base, fileName: file.base,
                    format: options.format ?? file.format, archived: nil, areOrphans: areOrphans, database: database,
                    metadata: metadata))
        }
    }

    /// The reason why metadata has no accompanying documents.
    private static func reason(forMetadata path: String) -> String {
        let options = (try? JSONFile(path))?.value["options"]
        return options?["viewOn"] == nil
            ? "metadata of a collection without documents" : "a view, which has no documents of its own"
    }

    private func isArchive(_ path: String) throws(ImportError) -> Bool {
        let input = try InputBuffer(path: path, spilled: spilled)
        guard try input.available(4) >= 4 else { return false }
        return input.view(4).uint32(unchecked: 0) == ArchiveDocuments.magic
    }

    /// Whether a file is a Realm file, judged by the four identifying bytes in its header (Spec 10).
    private func isDatabase(_ path: String) throws(ImportError) -> Bool {
        let input = try InputBuffer(path: path, spilled: spilled)
        guard try input.available(24) >= 24 else { return false }
        return input.view(24).bytes[16..<20].elementsEqual("T-DB".utf8)
    }

    private mutating func add(archive path: String) throws(ImportError) {
        let input = try InputBuffer(path: path, spilled: spilled)
        let archive = try ArchiveDocuments(input)
        for collection in archive.collections where options.database.map({ collection.database == $0 }) ?? true {
            if archive.views.contains(collection) {
                notes.append(
                    .init(
                        path: "\(NativePath.shown(path)): \(collection.name)",
                        reason: "a view, which has no documents of its own"))
                continue
            }
            found.append(
                FoundCollection(
                    path: path, name: collection.name, fileName: nil, format: .bson, archived: collection,
                    areOrphans: false, database: collection.database, metadata: archive.metadata[collection]))
        }
    }

    /// The metadata next to a file of documents; nil if there is none.
    private func metadata(of path: String, _ file: DocumentFileName) throws(ImportError) -> JSONValue? {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard !spilled.isPlaceless(path) else { return nil }
        for ending in [".metadata.json", ".metadata.json.gz"] {
            let metadata = (path.contains("/") ? folder + "/" : "") + file.base + ending
            if Folder.hasFile(metadata) { return try JSONFile(metadata).value }
        }
        return nil
    }
}

/// A parsed name of a document file.
struct DocumentFileName {
    /// The name without folder and extensions.
    let base: String
    let format: DocumentFormat

    /// Whether a file of that name describes documents in another file.
    static func isMetadata(_ name: String) -> Bool { baseOfMetadata(name) != nil }

    /// The base name of the documents that a metadata file describes; nil for other files.
    static func baseOfMetadata(_ name: String) -> String? {
        for ending in [".metadata.json", ".metadata.json.gz"] where name.hasSuffix(ending) {
            return String(name.dropLast(ending.count))
        }
        return nil
    }

    /// Returns nil for a name that is not one of a document file.
    init?(_ name: String) {
        var name = name
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard !Self.isMetadata(name), let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return nil
        }
        switch name[name.index(after: dot)...].lowercased() {
        case "bson": format = .bson
        // Extended JSON includes plain JSON.
        case "json", "jsonl", "ndjson", "ejson": format = .extendedJSON
        case "csv": format = .csv
        case "tsv", "tab": format = .tsv
        default: return nil
        }
        base = String(name[..<dot])
    }
}

/// A JSON text from a file that may be compressed: a schema or a sidecar.
struct JSONFile {
    let value: JSONValue

    init(_ path: String) throws(ImportError) {
        let input = try InputBuffer(path: path)
        var count = 0
        // Reads to the end, or to json-c's limit.
        while count < Int(Int32.max) {
            let got = try input.available(count + 1)
            if got == count { break }
            count = got
        }
        do throws(DocumentError) {
            value = try JSONValue(parsing: input.view(count))
        } catch {
            let fault = JSONFault.first(in: input.view(count))
            let place = LineFinder.place(of: fault?.offset ?? error.offset ?? 0, in: input.view(count))
            throw .document(
                (fault.map { DocumentError(error.code, $0.words) } ?? error).at(
                    file: path, line: place.line, column: place.column))
        }
    }
}
