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
    /// The number of a ledger, and where the link leads.
    private let links = PlainArray<PendingLink>()
    /// Elements of indexed lists of strings, by property.
    private var words: [(property: Int, word: [UInt8]?)] = []

    private struct PendingLink: BitwiseCopyable {
        let ledger: Int
        let target: ObjectKey
    }

    init(_ rules: TableRules) { self.rules = rules }

    func begin(_ rules: TableRules, firstCollection: Int) {
        if rules !== self.rules { self.rules = rules }
        self.firstCollection = firstCollection
        links.removeAll()
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
        let properties = rules.properties
        guard setCount < properties.count else { return nil }
        var index = start
        while index < properties.count {
            if !isSet[index], !properties[index].isNullable, properties[index].collection == nil { return index }
            index += 1
        }
        return nil
    }

    /// Notes a link of the object.
    @inline(__always)
    func add(_ ledger: Int, _ target: ObjectKey) { links.append(PendingLink(ledger: ledger, target: target)) }

    /// Notes an element of an indexed list of strings.
    func add(word: [UInt8]?, of property: Int) { words.append((property, word)) }

    /// Gives properties that were not set their null.
    func fillIn() throws(WriteError) {
        let properties = rules.properties
        guard setCount < properties.count else { return }
        for index in 0..<properties.count where !isSet[index] {
            let property = properties[index]
            guard property.isNullable || property.collection != nil else {
                throw .misfit(
                    Misfit(.missingValue, "has no value").at(property: rules.table.definition.properties[index].name))
            }
            values[index] = property.collection == nil ? .null : .list(nil)
        }
    }

    /// Notes what is known of the object once its key is.
    func note(_ key: ObjectKey, _ ledgers: LinkLedgers) {
        for index in 0..<links.count { ledgers[links[index].ledger].add(target: links[index].target, origin: key) }
        for (property, word) in words { rules.table.indexes[property]?.add(word: word, of: key) }
    }
}
