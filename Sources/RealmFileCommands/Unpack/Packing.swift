internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The way a file is packed, or was changed in transit.
enum Packing: Equatable {
    /// An archive or a compressed file.
    case file(ForeignFile)
    case text(TextForm)
    /// This many bytes come before the file.
    case prefix(Int)

    /// Examines a file; nil for one that begins like a Realm file, and for what is no packing.
    init?(_ bytes: ByteSource) {
        guard let problem = DatabaseImage.headerProblem(bytes) else { return nil }
        if let kind = ForeignFile(bytes.view), kind.isPacking {
            self = .file(kind)
        } else if let form = TextForm(bytes.view), form != .text {
            self = .text(form)
        } else if problem.code == .bytesInFront, let count = problem.offset {
            self = .prefix(count)
        } else {
            return nil
        }
    }

    /// The kind as one word for scripts.
    var kind: String {
        switch self {
        case .file(let kind): kind.rawValue
        case .text(let form): form.rawValue
        case .prefix: "prefixed"
        }
    }

    /// The kind in words.
    var words: String {
        switch self {
        case .file(let kind): kind.kindInWords
        case .text(let form): form.kindInWords
        case .prefix(let count): "a Realm file after \(counted(count, "extra byte"))"
        }
    }

    /// The purpose of undoing it.
    var purpose: String {
        switch self {
        case .file: "take it out"
        case .text: "restore the file"
        case .prefix: "cut out the file"
        }
    }

    /// Whether there are files in it.
    var isArchive: Bool { if case .file(let kind) = self { kind.isArchive } else { false } }
}

extension ForeignFile {
    /// Whether files of this kind contain other files.
    fileprivate var isPacking: Bool {
        switch self {
        case .zip, .gzip, .xz, .bzip2, .zstd, .sevenZip, .tar: true
        case .sqlite, .propertyList, .html, .xml, .json: false
        }
    }
}
