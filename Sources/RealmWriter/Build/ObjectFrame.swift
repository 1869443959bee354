internal import RealmLayout
internal import RealmReader

/// An open object of an `ObjectWriter`.
struct ObjectFrame {
    private(set) var rules: TableRules
    private(set) var values: [MixedValue] = []
    private var isSet: [Bool] = []
    private var setCount = 0
    /// Collections that were open when the object began.
    private(set) var firstCollection = 0
    var links: [(LinkLedger, ObjectKey)] = []
    /// Elements of indexed lists of strings, by property.
    var words: [(property: Int, word: [UInt8]?)] = []

    init(_ rules: TableRules) { self.rules = rules }

    mutating func begin(_ rules: TableRules, firstCollection: Int) {
        self.rules = rules
        self.firstCollection = firstCollection
        links.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        setCount = 0
        let count = rules.properties.count
        if values.count < count {
            values = [MixedValue](repeating: .null, count: count)
            isSet = [Bool](repeating: false, count: count)
        } else {
            for index in 0..<count { isSet[index] = false }
        }
    }

    /// Whether there was no value yet.
    @inline(__always)
    mutating func put(_ property: Int, _ value: MixedValue) -> Bool {
        guard !isSet[property] else { return false }
        isSet[property] = true
        setCount &+= 1
        values[property] = value
        return true
    }

    /// Whether a property has a value.
    func hasValue(_ property: Int) -> Bool { isSet[property] }

    /// The first property from `start` on that needs a value and has none.
    func firstMissing(from start: Int) -> Int? {
        guard setCount < rules.properties.count else { return nil }
        return (start..<rules.properties.count).first { index in
            !isSet[index] && !rules.properties[index].isNullable && rules.properties[index].collection == nil
        }
    }

    /// Gives properties that were not set their null.
    mutating func fillIn() throws(WriteError) {
        guard setCount < rules.properties.count else { return }
        for index in rules.properties.indices where !isSet[index] {
            let property = rules.properties[index]
            guard property.isNullable || property.collection != nil else {
                throw .misfit(Misfit(.missingValue, "has no value").at(property: property.name))
            }
            values[index] = property.collection == nil ? .null : .list(nil)
        }
    }

    /// Notes what is known of the object once its key is.
    func note(_ key: ObjectKey) {
        for (ledger, target) in links { ledger.add(target: target, origin: key) }
        for (property, word) in words { rules.table.indexes[property]?.add(word: word, of: key) }
    }
}
