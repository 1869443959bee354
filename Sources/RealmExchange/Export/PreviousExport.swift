internal import RealmLayout
internal import RealmStorage

/// The contents of a folder that is to receive an export: remains of earlier exports, and anything else.
///
/// The sidecar of an export lists its files. Sidecars of earlier versions name the classes, from which the possible
/// files are derived.
struct PreviousExport {
    /// Names in the folder that belong to exports: database folders, and the files and folders next to them.
    private(set) var pieces: [String] = []
    /// The files of exports, by their paths in the folder.
    private(set) var files: [String] = []
    /// Contents that no export wrote: names in the folder, and paths in the folders of exports.
    private(set) var foreign: [String] = []
    private let folder: String
    private static let documentEndings = ["bson", "jsonl", "json", "csv", "tsv", "metadata.json"]

    /// Examines a folder. A folder that does not exist has no contents.
    ///
    /// - Parameter database: The folder name of the database to be written.
    init(in folder: String, database: String) throws(StorageError) {
        self.folder = folder
        guard Folder.exists(folder) else { return }
        let sidecar = (try? JSONFile("\(folder)/\(SidecarName.exactSchema)"))?.value
        let bases = sidecar.flatMap { Self.files(ofClasses: $0) }
        for name in try Folder.names(folder) {
            // Left by an interrupted export.
            if name.hasPrefix("."), PendingFolder.endings.contains(where: name.hasSuffix) { continue }
            let path = "\(folder)/\(name)"
            guard Folder.exists(path), !OutputFile.isLink(path) else {
                note(name, isKnown: bases != nil && [SidecarName.exactSchema, SidecarName.losses].contains(name))
                continue
            }
            let inside = Folder.tree(path).files
            if let listed = Self.listedFiles(path) {
                note(name, inside, isKnown: listed.contains)
            } else if let bases, inside.contains(where: { Self.isDocument($0, bases) }) {
                note(name, inside) { Self.isDocument($0, bases) }
            } else if name == database {
                foreign += inside.map { "\(name)/\($0)" }
            } else {
                foreign.append(name)
            }
        }
    }

    private mutating func note(_ name: String, isKnown: Bool) {
        guard isKnown else { return foreign.append(name) }
        pieces.append(name)
        files.append(name)
    }

    private mutating func note(_ name: String, _ inside: [String], isKnown: (String) -> Bool) {
        pieces.append(name)
        files += inside.filter(isKnown).map { "\(name)/\($0)" }
        foreign += inside.filter { !isKnown($0) }.map { "\(name)/\($0)" }
    }

    /// The files that an export wrote into a database folder; nil if there is no export.
    private static func listedFiles(_ database: String) -> Set<String>? {
        let sidecar = "\(database)/\(SidecarName.folder)/\(SidecarName.exactSchema)"
        guard let files = (try? JSONFile(sidecar))?.value["files"]?.elements else { return nil }
        return Set(files.compactMap(\.text))
    }

    /// The file names of all classes, without extensions, from a sidecar of an earlier version.
    private static func files(ofClasses sidecar: JSONValue) -> Set<String>? {
        guard sidecar["realmSchema"] != nil, let classes = sidecar["classes"]?.elements else { return nil }
        var names: Set<String> = ["relationships"]
        for object in classes {
            guard let name = object["name"]?.text else { return nil }
            // The schema files may have different names from the document files, if one of them would collide with a
            // sidecar.
            for escaped in 0...name.utf8.count { names.insert(CollectionFileName(name, escaping: escaped).text) }
            if let file = object["file"]?.text { names.insert(file) }
        }
        return names
    }

    /// Whether a file in a database or schema folder belongs to an export of classes with these file names.
    private static func isDocument(_ path: String, _ bases: Set<String>) -> Bool {
        var name = path.hasPrefix(SidecarName.orphans + "/") ? path.dropFirst(SidecarName.orphans.count + 1) : path[...]
        if name.hasSuffix(".gz") { name = name.dropLast(3) }
        return documentEndings.contains { ending in
            name.hasSuffix(".\(ending)") && bases.contains(String(name.dropLast(ending.utf8.count + 1)))
        }
    }

    /// The files in the order of removal. The lists of files come last, so that they exist as long as any listed file
    /// does.
    var filesListsLast: [String] {
        files.filter { !Self.isList($0) } + files.filter { Self.isList($0) }
    }

    private static func isList(_ path: String) -> Bool {
        path == SidecarName.exactSchema || path.hasSuffix("/\(SidecarName.exactSchema)")
    }

    /// Completes a replacement of exports in a folder that was interrupted.
    static func recover(in folder: String) {
        PendingFolder.recover(in: folder) { old in
            do throws(StorageError) {
                return try PreviousExport(in: old, database: "").filesListsLast
            } catch {
                return []
            }
        }
    }

    /// Rejects contents that must not be replaced.
    ///
    /// - Throws: `EEXIST` if existing contents may not be replaced, `ENOTEMPTY` if some do not belong to exports, and
    ///   errors thrown by `check` for a path.
    func check(
        _ database: String, replacing: Bool, _ check: (String) throws(StorageError) -> Void
    ) throws(StorageError) {
        let path = "\(folder)/\(database)"
        for name in files + foreign { try check("\(folder)/\(name)") }
        let isTaken = OutputFile.exists(path) && (try? Folder.names(path))?.isEmpty != true
        guard !pieces.isEmpty || isTaken else { return }
        guard replacing else { throw .alreadyThere(isTaken ? path : "\(folder)/\(pieces.first ?? "")") }
        guard foreign.isEmpty else { throw .isShared(folder, foreign) }
        // A file, or a link to another place.
        guard !isTaken || pieces.contains(database) else { throw .isShared(folder, [database]) }
    }
}
