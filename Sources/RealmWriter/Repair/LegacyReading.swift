internal import RealmLayout
internal import RealmReader

/// Reads all values of a commit of formats 2 to 9, at which the verifier does not look.
struct LegacyReading {
    /// Values that there can be for each byte of a file: leaves without bytes have up to 1000 of them.
    private static let valuesPerByte = 128
    private static let maximumErrors = 20

    private(set) var tables: [RootCandidate.Table] = []
    /// What could not be read, the first of it.
    private(set) var errors: [FormatError] = []
    /// The number of all errors.
    private(set) var total = 0
    /// Values that may still be read. No file that an app wrote comes near it.
    private var left: Int

    /// - Parameter limit: the bytes of the file.
    init(limit: Int) { left = limit &* Self.valuesPerByte }

    /// Reads the commit at a root.
    ///
    /// - Parameter areNodesSound: without that only the tables are looked at: reading nodes that are shared has no end, and
    ///   the commit is not complete anyway.
    mutating func read(_ data: FileData, _ root: Ref, _ format: FormatVersion, areNodesSound: Bool) {
        do throws(FormatError) {
            let snapshot = try data.snapshot(at: root, format: format)
            for error in snapshot.damage { note(error) }
            for table in snapshot.tables {
                tables.append(RootCandidate.Table(name: table.schema.tableName, objects: try? table.count))
                if areNodesSound { read(table) }
            }
        } catch {
            note(error)
        }
    }

    private mutating func read(_ table: Table) {
        do throws(FormatError) {
            var cursor = table.objects
            while let object = try cursor.next() {
                guard left > 0 else {
                    throw FormatError(.sharedNodes, "there are more values than the file has room for")
                        .at(table: table.schema.tableName)
                }
                do throws(FormatError) {
                    for value in try object.values() { left -= Self.size(of: value) }
                } catch {
                    note(error)
                }
            }
        } catch {
            note(error)
        }
    }

    /// The number of values in a value: collections here hold no others that need to be counted.
    private static func size(of value: Value) -> Int {
        switch value {
        case .list(let values), .set(let values): 1 + values.count
        case .dictionary(let entries): 1 + entries.count
        default: 1
        }
    }

    private mutating func note(_ error: FormatError) {
        total += 1
        if errors.count < Self.maximumErrors { errors.append(error) }
    }
}
