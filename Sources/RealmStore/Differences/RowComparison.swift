internal import RealmCore
internal import RealmLayout

/// Compares the values of objects in two snapshots, column by column.
struct RowComparison {
    /// The row of an object in the old cluster and in the new one.
    struct Pair {
        let old: Int
        let new: Int
    }

    /// A property of both snapshots.
    private struct SharedProperty {
        let name: String
        let collection: CollectionKind?
        let old: Column
        let new: Column
    }

    private let properties: [SharedProperty]
    private let nodes: SharedNodes
    private let old: Snapshot
    private let new: Snapshot

    init(_ old: Table, _ new: Table, _ nodes: SharedNodes) {
        self.old = old.snapshot
        self.new = new.snapshot
        self.nodes = nodes
        let before = old.core
        properties = zip(new.core.schema.properties, new.core.columns).compactMap { property, column in
            // A column key is never reused, and includes type and form: a property that changes its type gets another
            // key.
            before.schema.properties.propertyIndex { $0.columnKey == property.columnKey }.map { index in
                SharedProperty(
                    name: property.name, collection: property.collection, old: before.columns[index], new: column)
            }
        }
    }

    /// Compares objects.
    ///
    /// - Parameter modified: receives those that differ.
    /// - Throws: errors of reading values.
    func compare(
        _ oldCluster: Cluster, _ newCluster: Cluster, _ pairs: [Pair], _ modified: inout [ChangedObject]
    ) throws(FormatError) {
        guard !pairs.isEmpty else { return }
        let hasSameRows = pairs.allSatisfy { $0.old == $0.new }
        var found: [Int: ChangedObject] = [:]
        for property in properties {
            let isShared = nodes.isShared(
                element: Int64(oldCluster.leafOffset(of: property.old)),
                Int64(newCluster.leafOffset(of: property.new)))
            if isShared, hasSameRows { continue }
            let left = try oldCluster.leaf(of: property.old, in: old.space)
            let right = try newCluster.leaf(of: property.new, in: new.space)
            for pair in pairs {
                guard let change = try change(property, left, right, pair) else { continue }
                let key = newCluster.key(unchecked: pair.new)
                found[pair.new, default: ChangedObject(key: key, properties: [])].properties.append(change)
            }
        }
        for row in found.keys.sorted() { if let object = found[row] { modified.append(object) } }
    }

    private func change(
        _ property: SharedProperty, _ left: ColumnLeaf, _ right: ColumnLeaf, _ pair: Pair
    ) throws(FormatError) -> ChangedProperty? {
        guard let collection = property.collection else {
            return try isSame(left, right, pair) ? nil : ChangedProperty(name: property.name, elements: nil)
        }
        if nodes.isShared(element: left.rawElement(at: pair.old), right.rawElement(at: pair.new)) { return nil }
        let (before, after) = (try left.collection(at: pair.old), try right.collection(at: pair.new))
        var (oldReader, newReader) = (ComparedValueReader(old), ComparedValueReader(new))
        switch collection {
        case .list:
            let changes = try listChanges(
                oldReader.leaves(before, property.old.elementType)[...],
                newReader.leaves(after, property.new.elementType)[...], &oldReader, &newReader)
            return changes.isEmpty ? nil : ChangedProperty(name: property.name, elements: changes)
        case .set:
            let (_, oldLeaves, newLeaves) = unshared(
                try oldReader.leaves(before, property.old.elementType)[...],
                try newReader.leaves(after, property.new.elementType)[...])
            let (oldElements, newElements) = (
                try oldReader.elements(oldLeaves), try newReader.elements(newLeaves)
            )
            guard oldElements != newElements, Set(oldElements) != Set(newElements) else { return nil }
        case .dictionary(let keyType):
            guard try !isSameDictionary(before, after, keyType, &oldReader, &newReader) else { return nil }
        }
        return ChangedProperty(name: property.name, elements: nil)
    }

    /// Compares lists without their common leaves at both ends.
    private func listChanges(
        _ old: ArraySlice<ColumnLeaf>, _ new: ArraySlice<ColumnLeaf>, _ oldReader: inout ComparedValueReader,
        _ newReader: inout ComparedValueReader
    ) throws(FormatError) -> ListChanges {
        let (before, old, new) = unshared(old, new)
        return ListChanges(from: try oldReader.elements(old), to: try newReader.elements(new), after: before)
    }

    /// Compares dictionaries; those with two trees without their common leaves at both ends.
    private func isSameDictionary(
        _ old: Ref?, _ new: Ref?, _ keyType: DictionaryKeyType, _ oldReader: inout ComparedValueReader,
        _ newReader: inout ComparedValueReader
    ) throws(FormatError) -> Bool {
        guard let old, let new, oldReader.version.hasPairDictionaries, newReader.version.hasPairDictionaries else {
            return try oldReader.entries(old, keyType) == newReader.entries(new, keyType)
        }
        let before = try DictionaryTree.pair(at: old, in: oldReader.space)
        let after = try DictionaryTree.pair(at: new, in: newReader.space)
        for (old, new, type) in [(before.keys, after.keys, keyType.leafType), (before.values, after.values, .mixed)] {
            let (_, oldLeaves, newLeaves) = unshared(
                try oldReader.leaves(old, type)[...], try newReader.leaves(new, type)[...])
            guard try oldReader.elements(oldLeaves) == newReader.elements(newLeaves) else { return false }
        }
        return true
    }

    /// Removes common leaves from both ends; also returns the number of elements in those at the beginning.
    private func unshared(
        _ old: ArraySlice<ColumnLeaf>, _ new: ArraySlice<ColumnLeaf>
    ) -> (before: Int, old: ArraySlice<ColumnLeaf>, new: ArraySlice<ColumnLeaf>) {
        var (old, new) = (old, new)
        var before = 0
        while let left = old.first, let right = new.first, nodes.isShared(left.ref, right.ref) {
            before += left.count
            old = old.dropFirst()
            new = new.dropFirst()
        }
        while let left = old.last, let right = new.last, nodes.isShared(left.ref, right.ref) {
            old = old.dropLast()
            new = new.dropLast()
        }
        return (before, old, new)
    }

    /// Compares single values.
    private func isSame(_ left: ColumnLeaf, _ right: ColumnLeaf, _ pair: Pair) throws(FormatError) -> Bool {
        switch (left.encoding, right.encoding) {
        case (.links, .links): return left.link(at: pair.old) == right.link(at: pair.new)
        case (.mixed, .mixed):
            return try isSame(
                left.mixed(at: pair.old, in: old.space), right.mixed(at: pair.new, in: new.space))
        case (.bigStrings, .bigStrings) where !left.isEnumerated && !right.isEnumerated,
            (.bigBinaries, .bigBinaries):
            if nodes.isShared(element: left.rawElement(at: pair.old), right.rawElement(at: pair.new)) { return true }
        default: break
        }
        switch (
            try left.scalar(at: pair.old, in: old.space), try right.scalar(at: pair.new, in: new.space)
        ) {
        case (.value(let one), .value(let other)): return try isSame(one, other)
        case (.parts(let one), .parts(let other)):
            return try old.space.joinedBytes(ofPartsAt: one) == new.space.joinedBytes(ofPartsAt: other)
        // Only binaries that are too long for one node consist of parts.
        default: return false
        }
    }

    private func isSame(_ left: MixedValue, _ right: MixedValue) throws(FormatError) -> Bool {
        switch (left, right) {
        case (.list(let left), .list(let right)):
            if let left, let right, nodes.isShared(left, right) { return true }
            var (oldReader, newReader) = (ComparedValueReader(old), ComparedValueReader(new))
            return try oldReader.elements(left, .mixed, depth: 1) == newReader.elements(right, .mixed, depth: 1)
        case (.dictionary(let left), .dictionary(let right)):
            if let left, let right, nodes.isShared(left, right) { return true }
            var (oldReader, newReader) = (ComparedValueReader(old), ComparedValueReader(new))
            return try oldReader.entries(left, .string, depth: 1) == newReader.entries(right, .string, depth: 1)
        default: return left.hasSameBits(as: right)
        }
    }
}
