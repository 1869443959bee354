internal import RealmLayout
internal import RealmReader

/// A predicate whose names were found and whose types fit.
indirect enum BoundPredicate: Sendable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    case comparison(BoundComparison)
    /// Whether a string has some words.
    case words(BoundPath, SearchWords, text: String)
    /// Whether places are in a region.
    case within(GeoTest)
}

/// Two operands and what must hold between them.
struct BoundComparison: Sendable {
    let left: BoundExpression
    let operation: ComparisonOperation
    let right: BoundExpression
    let folding: TextFolding
    /// The type of a property of the class itself that is compared with one constant of its type. Realm Core reads such
    /// columns without the rules for mixed values: NaN is neither less than a number nor equal to one, and null has an
    /// order and a text among strings.
    let column: StoredPropertyType?
    /// Whether the operands are types, as bits (`TypeName`).
    let isOfTypes: Bool
    /// As it was written.
    let text: String
}

/// What gives values for an object.
indirect enum BoundExpression: Sendable {
    /// The same for all objects.
    case constants([Value], isList: Bool, quantifier: Quantifier?)
    case path(BoundPath)
    /// The path leads to the values of a list, or to a property of many objects: `byObject` says that each object's own list
    /// is taken apart from the others.
    case aggregate(BoundPath, QueryAggregate, of: StoredPropertyType, byObject: Bool)
    /// The number of objects at the end of a path for which something holds.
    case subquery(BoundPath, BoundPredicate)
    case arithmetic(BoundExpression, ArithmeticOperation, BoundExpression)
}

extension BoundExpression {
    /// Whether an object has one value or none: then it is shown as it is, or as null, where a comparison takes a list of none.
    var isOneAtMost: Bool {
        switch self {
        case .constants(_, let isList, _): !isList
        case .path(let path): path.isOneAtMost
        case .aggregate(let path, _, _, let byObject): !byObject || path.hops.allSatisfy(\.isOneAtMost)
        case .subquery: true
        case .arithmetic(let left, _, let right): left.isOneAtMost && right.isOneAtMost
        }
    }
}

extension BoundPath {
    /// Whether it leads to one value at most: one element by its number, and one entry by its key.
    fileprivate var isOneAtMost: Bool {
        guard suffix != .lengths, hops.allSatisfy(\.isOneAtMost), steps.allSatisfy(\.isOneAtMost) else { return false }
        guard case .property = end, steps.isEmpty else { return true }
        return property?.collection == nil || suffix == .size
    }
}

extension BoundPath.Hop {
    /// Whether it leads to one object at most.
    var isOneAtMost: Bool {
        switch self {
        case .link: true
        case .links(_, let step): step?.isOneAtMost ?? false
        case .backlinks: false
        }
    }
}

extension BoundPath.Step {
    /// Whether it leads to one element at most.
    fileprivate var isOneAtMost: Bool {
        switch self {
        case .index, .last: true
        // All keys, where no entry has this one.
        case .key(let key): key != "@keys"
        case .all, .keys: false
        }
    }
}

/// The way from an object to its values.
struct BoundPath: Sendable {
    /// Where it starts: 0 for the object that is looked at, 1 for that of the subquery around this one, and so on.
    var level = 0
    /// Links that are followed, in order.
    var hops: [Hop] = []
    /// What is taken of the objects that are reached.
    var end: End = .object
    /// The property at the end.
    var property: StoredProperty?
    /// Where in a list, dictionary or Mixed value.
    var steps: [Step] = []
    var suffix: Suffix?
    var quantifier: Quantifier?
    /// What the values are; nil when that differs from value to value.
    var type: ValueType = .link(nil)

    enum Hop: Sendable {
        /// A property that links to one object, or holds one.
        case link(property: PropertyIndex)
        /// A list, set or dictionary of links; of one key where there is one.
        case links(property: PropertyIndex, step: Step?)
        /// The objects that link here.
        case backlinks(IncomingLinks, table: TablePosition)

        fileprivate var isSingle: Bool {
            switch self {
            case .link, .links(_, .some(.key)): true
            default: false
            }
        }
    }

    enum End: Sendable {
        /// The objects themselves.
        case object
        case property(PropertyIndex)
        /// The number of links that lead to the object, from all classes.
        case backlinkCount
    }

    enum Step: Equatable, Sendable {
        case index(Int)
        case last
        case all
        case key(String)
        case keys
    }

    enum Suffix: Sendable {
        /// How many elements there are, or how long a string or binary value is.
        case size
        case type
        /// How long each element is.
        case lengths
    }

    /// Whether the way goes over links of dictionaries that are found by their keys.
    var hasKeys: Bool {
        hops.contains { hop in if case .links(_, .some(.key)) = hop { true } else { false } }
    }

    /// Whether each hop leads to one object at most.
    var isSingle: Bool { hops.allSatisfy(\.isSingle) }

    /// Whether its values are the object's own, of which links to others are a part.
    var isWithinObject: Bool {
        switch (hops.first, end) {
        case (nil, .object), (nil, .property): true
        case (.link, .object), (.links, .object): hops.count == 1
        default: false
        }
    }

    /// Whether it is the number of elements of one collection, or of the objects that link to one object.
    var isCount: Bool {
        guard suffix == .size, steps.isEmpty else { return false }
        switch end {
        case .object: return !hops.isEmpty && !isSingle && hops.dropLast().allSatisfy(\.isSingle)
        case .property: return property?.collection != nil && isSingle
        case .backlinkCount: return false
        }
    }
}

/// The type of an operand, as far as it is known before values are read.
enum ValueType: Equatable, Sendable {
    case property(StoredPropertyType)
    /// A link, to a table when that is known.
    case link(TableKey?)
    /// The result of `@type`.
    case typeName
    case null
}

/// A step on what was found.
enum BoundStep: Sendable {
    case sort([(path: BoundPath, ascending: Bool)])
    case distinct([BoundPath])
    case limit(Int)
}
