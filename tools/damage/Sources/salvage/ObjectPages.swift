/// The pages with parts of the objects of a file. Uses its own walk over the nodes, so that salvage is not judged by
/// its own code.
///
/// An object touches a page if a part of its cluster is there that does not belong to another object alone: the
/// cluster, its keys, its leaves, and the object's own nodes below those. The path to the cluster belongs to no object:
/// root, names, tops and specs of tables, inner nodes.
struct ObjectPages {
    private let bytes: [UInt8]
    private let pageSize: Int
    private var touched: [Int: Set<Objects.Identity>] = [:]
    /// The parts of the path to objects, by page.
    private var ways: [Int: [String]] = [0: ["header"]]

    init(_ bytes: [UInt8], pageSize: Int) {
        self.bytes = bytes
        self.pageSize = pageSize
        let slot = Int(bytes[23] & 1)
        let isStreaming = slot == 0 && bytes[0..<8].allSatisfy { $0 == 0xFF }
        let top = number(isStreaming ? bytes.count - 16 : slot * 8, 8)
        guard top != 0 else { return }
        let tables = child(top, 1)
        for (ref, what) in [(top, "root"), (child(top, 0), "names"), (tables, "tables")] { note(ref, what) }
        for slot in 0..<count(tables) where isRef(element(tables, slot)) {
            let table = element(tables, slot)
            guard let name = name(slot, in: child(top, 0)) else { continue }
            note(table, "top of \(name)")
            if isRef(child(table, 0)) { noteAll(child(table, 0), "description of \(name)") }
            var perObject: Set<Int> = []
            let keys = child(child(table, 0), 5)
            for index in 0..<count(keys) {
                let key = element(keys, index)
                if key >> 22 & 0xE0 != 0 || key >> 16 & 0x3F == 13 { perObject.insert(key & 0xFFFF) }
            }
            walk(child(table, 2), base: 0, name, perObject)
        }
    }

    /// Returns the parts of the path to objects in a page.
    func names(in page: Int) -> String {
        let names = ways[page] ?? []
        return names.isEmpty ? "nothing but objects" : names.joined(separator: ", ")
    }

    func objects(in page: Int) -> Set<Objects.Identity> { touched[page] ?? [] }

    // MARK: Nodes

    private func number(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private func width(_ ref: Int) -> Int { (1 << Int(bytes[ref + 4] & 7)) >> 1 }

    private func count(_ ref: Int) -> Int { Int(bytes[ref + 5]) << 16 | Int(bytes[ref + 6]) << 8 | Int(bytes[ref + 7]) }

    private func hasRefs(_ ref: Int) -> Bool { bytes[ref + 4] & 0x40 != 0 }

    private func element(_ ref: Int, _ index: Int) -> Int {
        let width = width(ref)
        guard width > 0, index < count(ref) else { return 0 }
        guard width >= 8 else {
            return Int(bytes[ref + 8 + index * width / 8]) >> (index * width % 8) & (1 << width - 1)
        }
        let value = number(ref + 8 + index * width / 8, width / 8)
        return (value << (64 - width)) >> (64 - width)
    }

    private func unsigned(_ ref: Int, _ index: Int) -> Int {
        let width = width(ref)
        let value = element(ref, index)
        return width < 64 ? value & (1 << width - 1) : value
    }

    private func child(_ ref: Int, _ index: Int) -> Int { element(ref, index) }

    private func isRef(_ element: Int) -> Bool { element != 0 && element & 1 == 0 }

    private func size(_ ref: Int) -> Int {
        switch bytes[ref + 4] >> 3 & 3 {
        case 0: 8 + (count(ref) * width(ref) + 7) / 8
        case 1: 8 + count(ref) * width(ref)
        default: 8 + count(ref)
        }
    }

    /// Returns a name in a leaf of short strings.
    private func name(_ index: Int, in ref: Int) -> String? {
        let width = width(ref)
        guard bytes[ref + 4] & 0x40 == 0, bytes[ref + 4] >> 3 & 3 == 1, width > 0 else { return nil }
        let start = ref + 8 + index * width
        let length = width - 1 - Int(bytes[start + width - 1])
        return String(decoding: bytes[start..<(start + length)], as: UTF8.self)
    }

    private mutating func note(_ ref: Int, _ what: String) {
        for page in (ref / pageSize)...((ref + size(ref) - 1) / pageSize) where ways[page]?.last != what {
            ways[page, default: []].append(what)
        }
    }

    private mutating func noteAll(_ ref: Int, _ what: String) {
        note(ref, what)
        guard hasRefs(ref) else { return }
        for index in 0..<count(ref) where isRef(element(ref, index)) { noteAll(element(ref, index), what) }
    }

    // MARK: Objects

    private mutating func walk(_ ref: Int, base: Int, _ table: String, _ perObject: Set<Int>) {
        guard bytes[ref + 4] & 0x80 != 0 else { return cluster(ref, base: base, table, perObject) }
        let offsets = element(ref, 0)
        note(ref, "inner node of \(table)")
        if isRef(offsets) { note(offsets, "key offsets of \(table)") }
        let depth = element(ref, 1) >> 1
        for index in 3..<count(ref) {
            let offset = offsets == 0 ? (index - 3) << (8 * depth) : unsigned(offsets, index - 3)
            walk(element(ref, index), base: base + offset, table, perObject)
        }
    }

    private mutating func cluster(_ ref: Int, base: Int, _ table: String, _ perObject: Set<Int>) {
        let keys = element(ref, 0)
        let count = isRef(keys) ? self.count(keys) : keys >> 1
        let objects = (0..<count).map { row in
            Objects.Identity(table: table, key: Int64(base + (isRef(keys) ? unsigned(keys, row) : row)))
        }
        touch(ref, objects)
        if isRef(keys) { touch(keys, objects) }
        for slot in 1..<max(1, self.count(ref)) where isRef(element(ref, slot)) {
            let leaf = element(ref, slot)
            // Refs that belong to one object each: of collections, backlinks, and strings and binaries with a separate
            // node.
            let isOwn =
                hasRefs(leaf)
                && (perObject.contains(slot - 1) || bytes[leaf + 4] & 0x20 != 0 || isBacklinks(leaf, count))
            touch(leaf, objects)
            guard hasRefs(leaf) else { continue }
            for index in 0..<self.count(leaf) where isRef(element(leaf, index)) {
                touchAll(element(leaf, index), isOwn && index < count ? [objects[index]] : objects)
            }
        }
    }

    /// Whether a leaf contains backlinks: leaves of a value in several nodes have few elements; those of backlinks have
    /// one for each object.
    private func isBacklinks(_ leaf: Int, _ count: Int) -> Bool { self.count(leaf) == count && count > 8 }

    private mutating func touchAll(_ ref: Int, _ objects: [Objects.Identity]) {
        touch(ref, objects)
        guard hasRefs(ref) else { return }
        for index in 0..<count(ref) where isRef(element(ref, index)) { touchAll(element(ref, index), objects) }
    }

    private mutating func touch(_ ref: Int, _ objects: [Objects.Identity]) {
        for page in (ref / pageSize)...((ref + size(ref) - 1) / pageSize) {
            touched[page, default: []].formUnion(objects)
        }
    }
}
