internal import RealmCore
internal import RealmLayout

/// A change of all links to some objects: they are removed, or redirected to another object.
struct LinkRedirection {
    private var targets: [TableKey: Set<ObjectKey>] = [:]
    /// The new target of the links; nil to remove them.
    let new: ObjectKey?

    /// Affects no links yet.
    init() { new = nil }

    /// Affects the links to one object.
    init(_ target: ObjectKey, of table: TableKey, to new: ObjectKey?) {
        self.new = new
        insert(target, of: table)
    }

    var isEmpty: Bool { targets.isEmpty }

    /// The affected elements of a collection whose links all lead to one table.
    var numbers: Set<Int64> { targets.values.reduce(into: []) { $0.formUnion($1.lazy.map(\.value)) } }

    mutating func insert(_ target: ObjectKey, of table: TableKey) {
        targets[table, default: []].insert(target)
    }

    /// Whether links to an object are affected.
    func concerns(_ target: ObjectKey, of table: TableKey?) -> Bool {
        guard let table, let keys = targets[table] else { return false }
        return keys.contains(target)
    }
}
