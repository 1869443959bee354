internal import RealmLayout
internal import RealmReader

/// What becomes of links to some objects: they go, or lead to another object.
struct LinkRedirection {
    private var targets: [TableKey: Set<ObjectKey>] = [:]
    /// Where the links lead from now on; nil for nowhere.
    let new: ObjectKey?

    /// Links to nothing yet.
    init() { new = nil }

    /// Links to one object.
    init(_ target: ObjectKey, of table: TableKey, to new: ObjectKey?) {
        self.new = new
        insert(target, of: table)
    }

    var isEmpty: Bool { targets.isEmpty }

    /// The objects of a collection whose links all lead to one table.
    var numbers: Set<Int64> { targets.values.reduce(into: []) { $0.formUnion($1.lazy.map(\.value)) } }

    mutating func insert(_ target: ObjectKey, of table: TableKey) {
        targets[table, default: []].insert(target)
    }

    /// Whether links to an object are meant.
    func concerns(_ target: ObjectKey, of table: TableKey?) -> Bool {
        guard let table, let keys = targets[table] else { return false }
        return keys.contains(target)
    }
}
