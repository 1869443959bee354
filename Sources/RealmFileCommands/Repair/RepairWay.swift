internal import RealmCore
internal import RealmExchange
internal import RealmForensics

/// A way to make a new file.
enum RepairWay {
    /// The file is sound: byte by byte.
    case copy
    /// One commit.
    case commit(RepairMethod)
    /// All that can be read.
    case salvage(Salvage.Root, unproven: Bool)

    /// The way that a checkup recommends.
    ///
    /// - Parameter mustRewrite: whether the bytes of the new file must be others.
    init(_ way: FileCheckup.Way, mustRewrite: Bool) {
        self =
            switch way {
            case .asItIs: mustRewrite ? .commit(.findRoot) : .copy
            case .otherSlot: .commit(.otherSlot)
            case .findRoot: .commit(.findRoot)
            case .salvage: .salvage(.current, unproven: false)
            case .salvageUnproven: .salvage(.current, unproven: true)
            }
    }
}

/// The report of a repair.
protocol RepairResult {
    /// The packings that were undone first.
    var layers: [UnpackedFile.Layer] { get }
    /// Whether the new file holds everything that was found.
    var isLossless: Bool { get }
    /// The report as text; ends with a line break.
    var text: String { get }
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] { get }
}

extension RepairResult {
    /// The members, also those about packings.
    var allMembers: [(String, JSONValue)] {
        layers.isEmpty ? members : members + [("unpacked", .array(layers.map(\.json)))]
    }
}

extension [UnpackedFile.Layer] {
    /// Whether everything came out as it was packed.
    var isIntact: Bool { allSatisfy { $0.problem == nil } }
}

extension TextLines {
    /// Adds the name of a file, and the packings that were undone.
    ///
    /// - Parameter size: the size of the innermost file.
    mutating func addFile(_ name: String, size: Int?, _ layers: [UnpackedFile.Layer]) {
        let size = layers.isEmpty ? size : nil
        add("file", name + (size.map { ", \(InfoReport.bytes($0))" } ?? ""))
        if !layers.isEmpty { add("unpacked", layers.words) }
    }
}
