internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The objects of one side ordered by identity, each with a digest of its values.
struct IdentityList: ~Copyable {
    private struct Entry {
        let key: ObjectKey
        /// Offset of the first byte of its identity.
        let start: Int
    }

    private var entries: [Entry] = []
    private var identities = GrowingBytes()
    /// 32 bytes for each entry.
    private var digests = GrowingBytes()
    /// Indices of the entries, sorted.
    private var order: [Int] = []

    /// Reads all objects.
    ///
    /// - Parameter fields: Fields whose values are digested; nil for all.
    /// - Throws: `ContentComparisonError`, `StorageError`.
    init(_ side: TableSide, _ fields: [Int]?) throws {
        let sha = try MessageDigest(.sha256)
        var cursor = ContentCursor(side.plan, side.position, tree: side.table.core.objects, notesValues: true)
        let primary = side.table.fields.firstIndex { $0.property == side.table.core.primaryKeyIndex }
        while true {
            do throws(FormatError) {
                guard try cursor.next() else { break }
            } catch {
                throw ContentComparisonError(isOfSecond: side.isSecond, error: error)
            }
            for index in cursor.records.indices {
                let key = cursor.records[index].key
                entries.append(Entry(key: key, start: identities.count))
                if let primary {
                    identities.append(cursor.value(primary, of: index))
                } else {
                    identities.append(ContentTag.int.rawValue, key.value)
                }
                if let fields {
                    for field in fields { sha.update(cursor.value(field, of: index)) }
                } else {
                    sha.update(cursor.view(of: index))
                }
                digests.append(try sha.finish())
            }
        }
        // Identities are unique only in intact files. In damaged ones, sorting by digest as well pairs equal objects.
        let (identities, digests) = (identities.view, digests.view)
        let entries = entries
        func identity(_ index: Int) -> ByteView {
            let end = index + 1 < entries.count ? entries[index + 1].start : identities.count
            return identities.slice(unchecked: entries[index].start, count: end - entries[index].start)
        }
        func digest(_ index: Int) -> ByteView {
            digests.slice(
                unchecked: index * MessageDigest.Algorithm.sha256.size, count: MessageDigest.Algorithm.sha256.size)
        }
        order = entries.indices.sorted { left, right in
            let result = GrowingBytes.compare(identity(left), identity(right))
            return result != 0 ? result < 0 : GrowingBytes.compare(digest(left), digest(right)) < 0
        }
    }

    /// Number of objects.
    var count: Int { order.count }

    /// Returns the object key at a position in the order.
    func key(_ place: Int) -> ObjectKey { entries[order[place]].key }

    /// Returns the identity at a position in the order.
    func identity(_ place: Int) -> ByteView {
        let index = order[place]
        let end = index + 1 < entries.count ? entries[index + 1].start : identities.count
        return identities.view.slice(unchecked: entries[index].start, count: end - entries[index].start)
    }

    /// Returns the digest of the values at a position in the order.
    func digest(_ place: Int) -> ByteView {
        digests.view.slice(
            unchecked: order[place] * MessageDigest.Algorithm.sha256.size, count: MessageDigest.Algorithm.sha256.size)
    }
}
