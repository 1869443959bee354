package import RealmLayout
package import RealmStorage

/// Appends nodes to a new file, or to memory where they are readable at once (Spec 20). Each node has a known size and
/// is assembled in the buffer before it is written.
package final class NodeOutput: NodeSink {
    /// Approximate number of bytes to write at once.
    private static let bufferSize = 1 << 18

    /// Nil when nodes are discarded, stay in memory, or go to `places`.
    private let output: DatabaseOutput?
    /// Maximum number of bytes of nodes in memory; nil for other outputs.
    private let memorySize: Int?
    /// Chooses the position of each node; nil when nodes are consecutive.
    private let places: (any NodePlaces)?
    /// Nodes that are not yet written.
    private let buffer: UnsharedArray<UInt8>
    /// The position of the first buffered node.
    private var start: Int
    /// Bytes skipped before nodes that would have crossed the end of a section.
    private(set) var gaps: [(offset: Int, size: Int)] = []
    /// Temporary list of numbers for a node.
    let scratch: UnsharedArray<Int64>
    /// The place for data that grows with the content of the file.
    package let folder: ScratchFolder

    init(_ output: DatabaseOutput?) {
        self.output = output
        (memorySize, places) = (nil, nil)
        folder = ScratchFolder(beside: output?.path)
        buffer = UnsharedArray(capacity: Self.bufferSize, in: folder)
        scratch = UnsharedArray(in: folder)
        start = output?.position ?? FileHeader.size
    }

    /// Creates an output that stays in memory, as the overlay of a space (`NodeSpace.overlayStart`).
    package init(in memory: ReservedMemory) {
        output = nil
        (memorySize, places) = (memory.size, nil)
        folder = ScratchFolder(beside: nil)
        buffer = UnsharedArray(in: memory)
        scratch = UnsharedArray(in: folder)
        start = NodeSpace.overlayStart
    }

    /// Creates an output into the gaps of a database.
    package init(in places: any NodePlaces) {
        output = nil
        (memorySize, self.places) = (nil, places)
        folder = ScratchFolder(beside: nil)
        // Most commits are small.
        buffer = UnsharedArray(in: folder)
        scratch = UnsharedArray(in: folder)
        start = 0
    }

    /// The position of the next node.
    package var position: Int { start &+ buffer.count }

    /// The nodes in memory, as the overlay of a space.
    package var written: ByteView { buffer.view }

    /// Writes the remaining nodes. Must be called before the output is finished.
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

    /// Copies a node unchanged.
    package func copy(_ node: ByteView) throws(WriteError) -> Ref {
        let offset = try room(for: node.count)
        buffer.payload(from: offset).copy(node, to: 0)
        return Ref(start &+ offset)
    }

    /// Makes room for a node.
    ///
    /// - Returns: The offset in the buffer of its uninitialised bytes.
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

    /// Skips the rest of a section.
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

/// Chooses the positions of a commit's nodes: gaps of the database, and space after its end.
package protocol NodePlaces: AnyObject {
    /// Returns the offset for a node of `size` bytes.
    ///
    /// - Throws: `WriteError` when the database cannot grow.
    func take(_ size: Int) throws(WriteError) -> Int

    /// Writes whole consecutive nodes to their positions.
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
        // Most lists have so few elements that loops optimised for many would be slower.
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

    /// Appends plain bytes as one node, or as a list of several if they exceed a node's size limit, as in files of
    /// older formats (Spec 30).
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

    /// Appends names: short strings of any length allowed for names (Spec 30).
    func names(_ names: [String]) throws(WriteError) -> Ref { try self.names(names.map { Array($0.utf8) }) }

    /// Appends names, given as arbitrary bytes.
    package func names(_ bytes: [[UInt8]]) throws(WriteError) -> Ref {
        let longest = bytes.lazy.map(\.count).max() ?? 0
        // If all names are empty, nothing is stored.
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
