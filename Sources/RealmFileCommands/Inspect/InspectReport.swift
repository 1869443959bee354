internal import RealmCore
internal import RealmForensics
internal import RealmLayout

/// The output of `inspect`.
struct InspectReport {
    let name: String
    /// Nil when the report is not about the header.
    let header: FileHeader?
    let slot: Int
    /// The maximum number of elements, values, and rows of bytes to show.
    let limit: Int
    /// An offset and the part of the file that contains it.
    var finding: (offset: Int, whereabouts: OffsetDescription)?
    var node: InspectedNode?
    /// The places of an object's values.
    var places: ValuePlaces?
    /// The free chunks.
    var free: [FreeChunk]?
    /// Whether texts are shown in place of the bytes of free chunks.
    var showsTexts = false
    /// Bytes to show that belong to no node.
    var shownBytes: Range<Int>?
    /// The source of bytes.
    var inspector: NodeInspector?

    init(name: String, header: FileHeader? = nil, slot: Int, limit: Int) {
        self.name = name
        self.header = header
        self.slot = slot
        self.limit = limit
    }

    var status: ExitStatus {
        switch finding?.whereabouts {
        case .damagedNode, .unaccounted: .findings
        case .node(_, let paths): paths.count > 1 ? .findings : .success
        default: places?.properties.contains { $0.problem != nil } ?? false ? .findings : .success
        }
    }

    /// The content at the offset, in words.
    var findingText: String? {
        guard let (offset, whereabouts) = finding else { return nil }
        let place = hexadecimal(offset)
        switch whereabouts {
        case .header:
            return "\(place) is in the file's header"
        case .node(let node, let paths):
            let start = offset - node.ref.offset
            let part = start < NodeHeader.size ? "header" : "payload"
            let byte = start < NodeHeader.size ? start : start - NodeHeader.size
            let ways = paths.map { "/" + NodeInspector.text($0) }.joined(separator: " and ")
            let sharing = paths.count > 1 ? "; nodes may have one parent only: the file is damaged" : ""
            return "\(place) is in the node \(node.ref), byte \(byte) of its \(part), at path \(ways)\(sharing)"
        case .damagedNode(let path, let error):
            let way = "/" + NodeInspector.text(path)
            return "\(place): the ref at path \(way) leads here, but there is no node: \(error.line)"
        case .free(let chunk, let commit):
            let range = "\(hexadecimal(chunk.lowerBound)) to \(hexadecimal(chunk.upperBound))"
            let since = commit > 0 ? ", freed by commit \(commit)" : ""
            return "\(place) is free: in the chunk \(range), \(counted(chunk.count, "byte"))\(since)"
        case .unaccounted:
            return "\(place) is in no node that the top leads to, and not in the list of free space"
        case .beyondDatabase(let isFooter):
            return isFooter
                ? "\(place) is in the footer of the streaming form"
                : "\(place) is after the end of the database: unused"
        }
    }
}
