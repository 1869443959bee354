public import RealmLayout

extension Table {
    /// Returns the object whose primary key is `value`; nil when there is none.
    ///
    /// Uses the search index of the primary key if there is one: in files of formats 22 to 24, and for integers in
    /// those of 10 and 11. A wrong index never causes a wrong answer: the object that it finds is checked, and nil is
    /// returned only after the objects were searched, or the index was proven to contain all of them. The proof is done
    /// once per snapshot, when a key is first not found, and takes time proportional to the number of objects; every
    /// other search reads a few nodes only. Without an index, or with a wrong one, each search scans the objects.
    ///
    /// - Throws: `noSuchProperty` when the class has no primary key, `wrongType` when its type differs from that of the
    ///   value (null matches every type), `FormatError` when objects needed for the answer are damaged.
    public func object(primaryKey value: Value) throws(FormatError) -> StoredObject? {
        guard let primary = core.primaryKeyIndex else {
            throw FormatError(.noSuchProperty, "the class has no primary key").at(table: schema.tableName)
        }
        let property = schema.properties[primary]
        if case .int(let number) = value, property.type == .int, let object = found(number, of: primary) {
            return object
        }
        guard let sought = Self.indexBytes(of: value, as: property.type) else {
            throw FormatError(.wrongType, "the primary key is of type \(property.type), which the value sought is not")
                .at(
                    table: schema.tableName, property: property.name)
        }
        if let index = snapshot.reading({ SearchIndex(ofPrimaryKey: self) }) {
            if let found = found(value, sought, through: index) { return found }
            if hasProvenIndex() { return nil }
        }
        return try search(primary) { $0 == value }
    }

    /// Returns the object that the index leads to, if it has that primary key.
    private func found(_ value: Value, _ bytes: [UInt8]?, through index: SearchIndex) -> StoredObject? {
        var index = index
        do throws(FormatError) {
            let keys = try snapshot.reading { () throws(FormatError) in try index.candidates(bytes) }
            for key in keys {
                if let object = try object(key), try object.primaryKey == value { return object }
            }
        } catch {
            // A damaged index does not mean that objects are damaged.
        }
        return nil
    }

    /// Searches for an integer, without any allocation besides the object.
    private func found(_ number: Int64, of primary: PropertyIndex) -> StoredObject? {
        do throws(FormatError) {
            return try snapshot.reading { () throws(FormatError) -> StoredObject? in
                guard var index = SearchIndex(ofPrimaryKey: self) else { return nil }
                let bits = UInt64(bitPattern: number)
                let found = try index.find { level in
                    switch level {
                    case 0: Int32(bitPattern: UInt32(truncatingIfNeeded: bits).byteSwapped)
                    case 1: Int32(bitPattern: UInt32(truncatingIfNeeded: bits >> 32).byteSwapped)
                    case 2: IndexChunk.end
                    default: 0
                    }
                }
                guard case .one(let key) = found, let (cluster, row) = try tree.find(key) else { return nil }
                let leaf = try cluster.leaf(of: columns[primary], in: snapshot.space)
                let stored = leaf.encoding == .nullableIntegers ? leaf.nullableInt(at: row) : leaf.int(at: row)
                guard stored == number else { return nil }
                return StoredObject(home: OpenedCluster(self, cluster), key: key, row: row)
            }
        } catch {
            return nil
        }
    }

    /// Whether the index finds every object of the table.
    private func hasProvenIndex() -> Bool {
        if let known = snapshot.provenIndexes[position] { return known }
        let isProven = provesIndex()
        snapshot.provenIndexes[position] = isProven
        return isProven
    }

    private func provesIndex() -> Bool {
        guard let primary = core.primaryKeyIndex else { return false }
        do throws(FormatError) {
            let count = try count
            guard var index = snapshot.reading({ SearchIndex(ofPrimaryKey: self, searches: count) }) else {
                return false
            }
            let type = schema.properties[primary].type
            let missed = try search(primary) { value, key throws(FormatError) in
                guard let bytes = Self.indexBytes(of: value, as: type) else { return true }
                return try !index.candidates(bytes).contains(key)
            }
            return missed == nil
        } catch {
            return false
        }
    }

    private func search(_ primary: PropertyIndex, _ isSought: (Value) -> Bool) throws(FormatError) -> StoredObject? {
        try search(primary) { value, _ throws(FormatError) in isSought(value) }
    }

    /// Returns the first object with a primary key that `isSought` accepts.
    private func search(
        _ primary: PropertyIndex, _ isSought: (Value, ObjectKey) throws(FormatError) -> Bool
    ) throws(FormatError) -> StoredObject? {
        let property = schema.properties[primary]
        var clusters = ClusterCursor(core.objects)
        var isAtEnd = false
        while !isAtEnd {
            // One cluster at a time limits the pages of an encrypted file that are held.
            let found = try snapshot.reading { () throws(FormatError) -> StoredObject? in
                var objectKey: ObjectKey?
                do throws(FormatError) {
                    guard let cluster = try clusters.next() else {
                        isAtEnd = true
                        return nil
                    }
                    let home = OpenedCluster(self, cluster)
                    let opened = try home.property(at: primary)
                    for row in 0..<cluster.count {
                        let key = cluster.key(unchecked: row)
                        objectKey = key
                        var reader = ValueReader(home.space)
                        let value = try reader.value(of: opened, row, in: home)
                        if try isSought(value, key) { return StoredObject(home: home, key: key, row: row) }
                    }
                    return nil
                } catch {
                    throw error.at(
                        table: schema.tableName, property: objectKey == nil ? nil : property.name, objectKey: objectKey)
                }
            }
            if let found { return found }
        }
        return nil
    }

    /// Returns the bytes for a primary key in a search index (Spec 80), where an inner nil stands for null; nil for a
    /// value of another type.
    private static func indexBytes(of value: Value, as type: StoredPropertyType) -> [UInt8]?? {
        switch (value, type) {
        case (.null, _): .some(nil)
        case (.int(let number), .int): [UInt8](number.littleEndianBytes)
        case (.string(let text), .string): Array(text.utf8)
        case (.malformedString(let bytes), .string): bytes
        case (.objectId(let id), .objectId): id.bytes
        case (.uuid(let id), .uuid): id.bytes
        default: nil
        }
    }
}
