import Expectations
import RealmCore
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Lists whose inner nodes claim too many elements.
@Suite struct HostileListTests {
    /// Returns a database with many dogs of one name, and one of another name.
    private func kennel() throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder, dogs: 0))
        try store.write { transaction in
            // Moves the list to an offset that does not fit into 16 bits.
            for number in 10_000..<13_000 {
                let name = NewValue.string("dog \(number)")
                _ = try transaction.add("Dog", ["_id": .int(Int64(number)), "name": name, "age": 1])
            }
        }
        try store.write { transaction in
            for number in 0..<2601 {
                let name: NewValue = number == 5 ? "other" : "same"
                _ = try transaction.add("Dog", ["_id": .int(Int64(number)), "name": name, "age": 1])
            }
        }
        try store.close()
        return try #require(folder.bytes("kennel.realm"))
    }

    /// Returns the database with another number of elements in the root of the index's list.
    private func patched(_ bytes: [UInt8], total: Int) throws -> [UInt8] {
        let snapshot = try RealmDatabase(bytes: bytes).snapshot()
        let space = snapshot.space
        var found: (root: Ref, elements: [Int64])?
        var open = [try #require(snapshot.topRef)]
        var parents: [Int: (node: Node, index: Int)] = [:]
        while let ref = open.popLast() {
            let node = try space.node(at: ref)
            guard node.header.hasRefs else { continue }
            let elements = try node.refs().elements
            if node.header.isInner, elements.last == 2600 << 1 | 1, elements.count == 5 { found = (ref, elements) }
            for (index, element) in elements.enumerated() {
                guard let child = Slot(element).ref else { continue }
                parents[child.offset] = (node, index)
                open.append(child)
            }
        }
        let (root, elements) = try #require(found)
        let (parent, index) = try #require(parents[root.offset])
        // Writes a node of 64-bit elements into the free space at the end, and a ref to it into the parent.
        var writer = NodeWriter(at: 0)
        _ = writer.refs(elements.dropLast().map { Int($0) } + [NodeWriter.tagged(total)], isInner: true)
        let place = snapshot.logicalSize - writer.bytes.count
        expect(bytes[place...].allSatisfy { $0 == 0 })
        var patched = bytes
        patched.replaceSubrange(place..<place + writer.bytes.count, with: writer.bytes)
        let width = parent.header.width / 8
        try #require(width > 0 && (width > 2 || place < 1 << 15))
        let start = parent.ref.offset + NodeHeader.size + index * width
        patched.replaceSubrange(start..<start + width, with: UInt64(place).littleEndianBytes.prefix(width))
        return patched
    }

    @Test func `an index with an impossible number of objects is refused without a crash`() throws {
        let bytes = try kennel()
        func change(_ bytes: [UInt8]) throws {
            try RealmStore(bytes: bytes).write { transaction in
                let dog = try #require(try transaction.object("Dog", primaryKey: 5))
                try transaction.set(dog, "name", "same")
            }
        }
        try change(bytes)
        for total in [1 << 62, Int.max >> 1, Int.max] {
            #expect {
                try change(patched(bytes, total: total))
            } throws: {
                "\($0)".contains("more nodes and elements than the file has room for")
            }
        }
    }
}
