internal import RealmLayout
internal import RealmReader

/// An open object of an `ObjectWriter`.
final class ObjectFrame {
    private(set) var rules: TableRules
    /// One a property.
    let values = PlainArray<MixedValue>()
    private let isSet = PlainArray<Bool>()
    private var setCount = 0
    /// Collections that were open when the object began.
    private(set) var firstCollection = 0
    private var links: [LinkLedger] = []
    private let targets = PlainArray<ObjectKey>()
    /// Elements of indexed lists of strings, by property.
    private var words: [(property: Int, word: [UInt8]?)] = []

    init(_ rules: TableRules) { self.rules = rules }

    func begin(_ rules: TableRules, firstCollection: Int) {
        if rules !== self.rules { self.rules = rules }
        self.firstCollection = firstCollection
        if !links.isEmpty { links.removeAll(keepingCapacity: true) }
        targets.removeAll()
        if !words.isEmpty { words.removeAll() }
        setCount = 0
        let count = rules.properties.count
        values.removeAll()
        values.append(repeating: .null, count: count)
        isSet.removeAll()
        isSet.append(repeating: false, count: count)
    }

    /// Whether there was no value yet.
    @inline(__always)
    func put(_ property: Int, _ value: MixedValue) -> Bool {
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

    /// Notes a link of the object.
    func add(_ ledger: LinkLedger, _ target: ObjectKey) {
        links.append(ledger)
        targets.append(target)
    }

    /// Notes an element of an indexed list of strings.
    func add(word: [UInt8]?, of property: Int) { words.append((property, word)) }

    /// Gives properties that were not set their null.
    func fillIn() throws(WriteError) {
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
        for (index, ledger) in links.enumerated() { ledger.add(target: targets[index], origin: key) }
        for (property, word) in words { rules.table.indexes[property]?.add(word: word, of: key) }
    }
}
