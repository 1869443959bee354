package import RealmLayout
internal import RealmReader
package import RealmStorage

/// Appends nodes to a new file, or to memory where they can be read at once (Spec 20). A node is put together in a buffer of its
/// own, whose size is known beforehand, and handed on as a whole.
package final class NodeOutput: NodeSink {
    /// Bytes that are handed on at once, about.
    private static let bufferSize = 1 << 18

    /// Nil when all nodes are forgotten, or stay in memory.
    private let output: DatabaseOutput?
    /// The most bytes of nodes that stay in memory; nil where they do not.
    private let memorySize: Int?
    /// Who says where each node goes; nil where one goes behind the other.
    private let places: (any NodePlaces)?
    /// Nodes that were not handed on yet.
    private let buffer: UnsharedArray<UInt8>
    /// Where the first of them will lie.
    private var start: Int
    /// Bytes that were left out before nodes that would have crossed a section's end.
    private(set) var gaps: [(offset: Int, size: Int)] = []
    /// Numbers on their way into a node.
    let scratch: UnsharedArray<Int64>
    /// For what grows with the content of the file.
    let folder: ScratchFolder

    init(_ output: DatabaseOutput?) {
        self.output = output
        (memorySize, places) = (nil, nil)
        folder = ScratchFolder(beside: output?.path)
        buffer = UnsharedArray(capacity: Self.bufferSize, in: folder)
        scratch = UnsharedArray(in: folder)
        start = output?.position ?? FileHeader.size
    }

    /// Nodes that stay in memory, as the overlay of a space (`NodeSpace.overlayStart`).
    package init(in memory: ReservedMemory) {
        output = nil
        (memorySize, places) = (memory.size, nil)
        folder = ScratchFolder(beside: nil)
        buffer = UnsharedArray(in: memory)
        scratch = UnsharedArray(in: folder)
        start = NodeSpace.overlayStart
    }

    /// Nodes that go into the gaps of a database.
    package init(in places: any NodePlaces) {
        output = nil
        (memorySize, self.places) = (nil, places)
        folder = ScratchFolder(beside: nil)
        // Most commits are small.
        buffer = UnsharedArray(in: folder)
        scratch = UnsharedArray(in: folder)
        start = 0
    }

    /// Where the next node would lie.
    package var position: Int { start &+ buffer.count }

    /// The nodes that stay in memory, as the overlay of a space.
    package var written: ByteView { buffer.view }

    /// Hands on what is left. To be called before the output is finished.
    package func end() throws(WriteError) {
        do throws(StorageError) {
            try output?.write(buffer.view)
            if !buffer.isEmpty { try places?.write(buffer.view, at: start) }
        } catch { throw .storage(error) }
        start += buffer.count
        buffer.removeAll()
    }

    package func node(
        flags: UInt8 = 0, _ type: NodeHeader.WidthType, width: Int, count: Int, payloadSize: Int,
        _ fill: (NodePayload) -> Void
    ) throws(WriteError) -> Ref {
        let padded = (payloadSize + 7) & ~7
        let total = NodeHeader.size + padded
        let offset = try room(for: total)
        let header = NodeHeader(flags: flags, type, width: width, count: count)
        buffer.payload(from: offset).store(header.word, at: 0)
        let payload = buffer.payload(from: offset &+ NodeHeader.size)
        if padded > 0 { payload.store(UInt64(0), at: padded - 8) }
        fill(payload)
        return Ref(start &+ offset)
    }

    /// Copies a node as it is.
    package func copy(_ node: ByteView) throws(WriteError) -> Ref {
        let offset = try room(for: node.count)
        buffer.payload(from: offset).copy(node, to: 0)
        return Ref(start &+ offset)
    }

    /// Makes room for a node.
    ///
    /// - Returns: the offset in the buffer of its bytes, which may be anything.
    @inline(__always)
    private func room(for size: Int) throws(WriteError) -> Int {
        if memorySize != nil || places != nil { return try chosenRoom(for: size) }
        if buffer.count &+ size > Self.bufferSize, !buffer.isEmpty { try end() }
        let left = Limits.sectionSize &- position & (Limits.sectionSize &- 1)
        if size > left { try skip(left) }
        let offset = buffer.count
        buffer.resize(offset &+ size)
        return offset
    }

    private func chosenRoom(for size: Int) throws(WriteError) -> Int {
        if let places {
            let place = try places.take(size)
            if place != position || buffer.count + size > Self.bufferSize { try end() }
            if buffer.isEmpty { start = place }
        } else if let memorySize, size > memorySize - buffer.count {
            throw .storage(.withoutMemory)
        }
        let offset = buffer.count
        buffer.resize(offset + size)
        return offset
    }

    /// Leaves out the rest of a section.
    private func skip(_ size: Int) throws(WriteError) {
        gaps.append((position, size))
        var left = size
        while left > 0 {
            let step = min(left, Self.bufferSize)
            buffer.append(repeating: 0, count: step)
            left -= step
            try end()
        }
    }
}

/// Where nodes of a commit go: gaps of the database, and bytes behind it.
package protocol NodePlaces: AnyObject {
    /// The offset for a node of `size` bytes.
    ///
    /// - Throws: `WriteError` when the database cannot grow.
    func take(_ size: Int) throws(WriteError) -> Int

    /// Puts whole nodes that lie behind each other where they were to go.
    ///
    /// - Throws: `StorageError`.
    func write(_ nodes: ByteView, at offset: Int) throws(StorageError)
}

// Numbers.
extension NodeOutput {
    /// Flags of nodes whose elements are refs.
    package static let hasRefs = NodeHeader.Mask.hasRefs

    /// Appends an array of integers in the smallest width that holds them.
    func integers(_ values: UnsharedArray<Int64>, flags: UInt8 = 0) throws(WriteError) -> Ref {
        // Most lists have few elements, for which loops that are made for many take longer than the elements do.
        guard values.count <= Self.few else { return try packed(values, width: values.width, flags: flags) }
        var bits: UInt64 = 0
        var signs: Int64 = 0
        for index in 0..<Self.few where index < values.count {
            let value = values[index]
            bits |= UInt64(bitPattern: value ^ (value &>> 63))
            signs |= value
        }
        let width = ValueRange.width(ofBits: bits, areNegative: signs < 0)
        let size = (values.count &* width &+ 7) / 8
        return try node(flags: flags, .bits, width: width, count: values.count, payloadSize: size) { payload in
            payload.packInWords(values, width: width)
        }
    }

    private static let few = 6

    /// Appends an array of refs and tagged integers.
    func refs(_ values: UnsharedArray<Int64>) throws(WriteError) -> Ref { try integers(values, flags: Self.hasRefs) }

    /// Appends an array of two refs.
    func refs(_ first: Int64, _ second: Int64) throws(WriteError) -> Ref {
        scratch.removeAll()
        scratch.append(first)
        scratch.append(second)
        return try integers(scratch, flags: Self.hasRefs)
    }

    /// Appends plain bytes: a node, or a list of several for more than one can count, as files of older formats may have
    /// (Spec 30).
    func blob(_ bytes: ByteView, terminated: Bool) throws(WriteError) -> Ref {
        let count = bytes.count + (terminated ? 1 : 0)
        guard count <= Limits.blobBytes else {
            guard !terminated else {
                throw .misfit(InvalidValue(.tooLong, "a string of \(bytes.count) bytes; only binaries can be in parts"))
            }
            return try parts(of: bytes)
        }
        return try node(.ignore, width: 1, count: count, payloadSize: count) { payload in
            payload.copy(bytes, to: 0)
            if terminated { payload.store(UInt8(0), at: bytes.count) }
        }
    }

    private func parts(of bytes: ByteView) throws(WriteError) -> Ref {
        var refs: [Int64] = []
        for start in stride(from: 0, to: bytes.count, by: Limits.blobBytes) {
            let part = bytes.slice(at: start, count: min(Limits.blobBytes, bytes.count - start)) ?? .empty
            refs.append(Int64(try blob(part, terminated: false).offset))
        }
        return try integers(refs, flags: Self.hasRefs | NodeHeader.Mask.context)
    }

    /// Appends names: short strings of any length that names may have (Spec 30).
    func names(_ names: [String]) throws(WriteError) -> Ref { try self.names(names.map { Array($0.utf8) }) }

    /// The same for the bytes of names, whatever they are.
    package func names(_ bytes: [[UInt8]]) throws(WriteError) -> Ref {
        let longest = bytes.lazy.map(\.count).max() ?? 0
        // Without a name that is not empty nothing has to be stored.
        let width = longest > 0 ? ShortString.width(forLongest: longest) : 0
        return try node(.multiply, width: width, count: bytes.count, payloadSize: bytes.count * width) { payload in
            guard width > 0 else { return }
            for (index, name) in bytes.enumerated() {
                let start = index * width
                ByteView.with(name) { payload.copy($0, to: start) }
                for offset in name.count..<(width - 1) { payload.store(UInt8(0), at: start + offset) }
                payload.store(ShortString.lastByte(length: name.count, width: width), at: start + width - 1)
            }
        }
    }
}
