internal import RealmLayout
internal import RealmStorage

/// A collection among the files that are to be imported.
struct FoundCollection {
    let path: String
    /// The name that its class gets, unless a schema says otherwise.
    let name: String
    /// The name of its file without endings; nil in an archive.
    let fileName: String?
    let format: DocumentFormat
    /// In an archive.
    let archived: ArchiveDocuments.Collection?
    /// Whether these are embedded objects without an owner.
    let areOrphans: Bool
}

/// Finds the collections in folders, files and archives.
struct CollectionSearch {
    private let options: ImportOptions
    private(set) var found: [FoundCollection] = []
    /// Files and folders of no known kind.
    private(set) var ignored: [String] = []

    private let spilled: [String: SpilledBytes]

    init(_ options: ImportOptions, _ spilled: [String: SpilledBytes]) {
        self.options = options
        self.spilled = spilled
    }

    /// Files beside the documents that hold none.
    private static let others: Set<String> = [
        SidecarName.exactSchema, SidecarName.losses, "prelude.json", "oplog.bson",
        "system.indexes.bson",
    ]

    /// Adds what is at a path.
    ///
    /// - Throws: `ImportError`, `noDocuments` for a file of no known kind.
    mutating func add(_ path: String) throws(ImportError) {
        guard path == "-" || !Folder.exists(path) else {
            try refuse(options.className, "--class names the documents of one file, not of a folder", path)
            return try add(folder: path)
        }
        if try isArchive(path) {
            try refuse(options.className, "--class names the documents of one file, not of an archive", path)
            return try add(archive: path)
        }
        try refuse(options.database, "--db chooses a database of a folder or archive, and this is one file", path)
        let file = DocumentFileName(String(path.split(separator: "/").last ?? ""))
        guard let format = options.format ?? file?.format else {
            throw .document(
                DocumentError(
                    .noDocuments, "neither its name nor --format says what is in it: bson, ejson, json or csv"
                ).at(file: path))
        }
        let name: String
        if let className = options.className {
            name = className
        } else if let file {
            name = try collectionName(of: path, file)
        } else {
            throw .document(
                DocumentError(.noDocuments, "give the name of the class of these documents with --class").at(
                    file: path == "-" ? "standard input" : path))
        }
        found.append(
            FoundCollection(
                path: path, name: name, fileName: options.className == nil ? file?.base : nil, format: format,
                archived: nil, areOrphans: false))
    }

    /// Refuses an option that would do nothing.
    private func refuse(_ option: String?, _ words: String, _ path: String) throws(ImportError) {
        if option != nil { throw .document(DocumentError(.noDocuments, words).at(file: path)) }
    }

    private mutating func add(folder: String) throws(ImportError) {
        // Files of the folder itself are of no database but the one that it is.
        let isWanted = options.database.map {
            folder.split(separator: "/").last.map(String.init) == CollectionFileName($0).text
        }
        let names = try names(in: folder)
        if isWanted ?? true { try add(names, in: folder, areOrphans: false) }
        // Where the sidecar is, folders are databases, whatever they are called.
        let isTop = Folder.hasFile("\(folder)/\(SidecarName.exactSchema)")
        for name in names where Folder.exists("\(folder)/\(name)") {
            if name == SidecarName.orphans, !isTop {
                try add(self.names(in: "\(folder)/\(name)"), in: "\(folder)/\(name)", areOrphans: true)
            } else if !isSchemas("\(folder)/\(name)", name),
                options.database.map({ CollectionFileName($0).text == name }) ?? true
            {
                let database = "\(folder)/\(name)"
                let inside = try self.names(in: database)
                try add(inside, in: database, areOrphans: false)
                for other in inside where Folder.exists("\(database)/\(other)") {
                    if other == SidecarName.orphans {
                        let orphans = "\(database)/\(other)"
                        try add(self.names(in: orphans), in: orphans, areOrphans: true)
                    } else {
                        ignored.append("\(database)/\(other)")
                    }
                }
            }
        }
    }

    /// Whether a folder is that of the schemas of documents, and no database of this name.
    private func isSchemas(_ folder: String, _ name: String) -> Bool {
        (name == SidecarName.schemas || name == SidecarName.otherSchemas)
            && Folder.hasFile("\(folder)/\(SidecarName.relationships)")
    }

    private func names(in folder: String) throws(ImportError) -> [String] {
        try importing { () throws(StorageError) in try Folder.names(folder) }
    }

    /// Adds those of the names in a folder that are files with documents.
    private mutating func add(_ names: [String], in folder: String, areOrphans: Bool) throws(ImportError) {
        for name in names
        where !Self.others.contains(name) && Folder.hasFile("\(folder)/\(name)") {
            let path = "\(folder)/\(name)"
            if name == SidecarName.relationships, try DocumentRelationships(beside: path) != nil { continue }
            guard let file = DocumentFileName(name) else {
                if try isArchive(path) {
                    try add(archive: path)
                } else if !name.hasPrefix("."), !DocumentFileName.isMetadata(name) {
                    ignored.append(path)
                }
                continue
            }
            found.append(
                FoundCollection(
                    path: path, name: try collectionName(of: path, file), fileName: file.base,
                    format: options.format ?? file.format, archived: nil, areOrphans: areOrphans))
        }
    }

    private func isArchive(_ path: String) throws(ImportError) -> Bool {
        let input = try InputBuffer(path: path, spilled: spilled)
        guard try input.available(4) >= 4 else { return false }
        return input.view(4).uint32(unchecked: 0) == ArchiveDocuments.magic
    }

    private mutating func add(archive path: String) throws(ImportError) {
        let input = try InputBuffer(path: path, spilled: spilled)
        for collection in try ArchiveDocuments(input).collections
        where options.database.map({ collection.database == $0 }) ?? true {
            found.append(
                FoundCollection(
                    path: path, name: collection.name, fileName: nil, format: .bson, archived: collection,
                    areOrphans: false))
        }
    }

    /// The name in the metadata beside a file of documents, or else that of the file.
    private func collectionName(of path: String, _ file: DocumentFileName) throws(ImportError) -> String {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        for ending in [".metadata.json", ".metadata.json.gz"] {
            let metadata = (path.contains("/") ? folder + "/" : "") + file.base + ending
            guard Folder.hasFile(metadata) else { continue }
            if let name = try JSONFile(metadata).value["collectionName"]?.text { return name }
        }
        return file.base
    }
}

/// The name of a file of documents, taken apart.
struct DocumentFileName {
    /// The name without folder and endings.
    let base: String
    let format: DocumentFormat

    /// Whether a file of that name says something of documents in another.
    static func isMetadata(_ name: String) -> Bool {
        name.hasSuffix(".metadata.json") || name.hasSuffix(".metadata.json.gz")
    }

    /// Nil for a name that is not one of documents.
    init?(_ name: String) {
        var name = name
        if name.hasSuffix(".gz") { name.removeLast(3) }
        guard !Self.isMetadata(name), let dot = name.lastIndex(of: "."), dot > name.startIndex else {
            return nil
        }
        switch name[name.index(after: dot)...].lowercased() {
        case "bson": format = .bson
        // Which has plain JSON in it.
        case "json", "jsonl", "ndjson", "ejson": format = .extendedJSON
        case "csv": format = .csv
        default: return nil
        }
        base = String(name[..<dot])
    }
}

/// A JSON text in a file, which may be compressed: a schema or a sidecar.
struct JSONFile {
    let value: JSONValue

    init(_ path: String) throws(ImportError) {
        let input = try InputBuffer(path: path)
        var count = 0
        // Until no more comes; as much as json-c takes.
        while count < Int(Int32.max) {
            let got = try input.available(count + 1)
            if got == count { break }
            count = got
        }
        do throws(DocumentError) {
            value = try JSONValue(parsing: input.view(count))
        } catch {
            throw .document(error.at(file: path))
        }
    }
}
