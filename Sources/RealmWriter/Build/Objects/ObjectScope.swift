internal import RealmLayout
internal import RealmReader

/// What an `ObjectWriter` knows of an open object.
struct ObjectScope: BitwiseCopyable {
    /// Its table; none outside of all objects.
    var table = TablePosition.none
    /// The first of its table's columns among those of the file.
    var firstColumn = 0
    /// Its row in the cluster that is being filled, to which values go at once; negative when they wait in a frame.
    var row = -1
    /// The same as long as nothing else waits.
    var freeRow = -1
    var propertyCount = 0
    /// Properties that have a value.
    var setCount = 0
    /// Collections that were open when the object began, and what waited then.
    var firstCollection = 0
    var firstLink = 0
    var firstWord = 0
    var firstLateValue = 0
}

/// A link of an open object: it is noted with the object's key.
struct PendingLink: BitwiseCopyable {
    /// The number of the ledger.
    let ledger: Int
    let target: ObjectKey
}

/// An element of an indexed list of strings of an open object.
struct DeferredIndexWord {
    let property: PropertyIndex
    let word: [UInt8]?
}

/// A value that is written at the end of its object: long ones have nodes of their own, which stand in the order of the
/// properties.
struct DeferredValue: BitwiseCopyable {
    let property: PropertyIndex
    let value: MixedValue

    /// Whether a value waits.
    @inline(__always)
    static func isLate(_ value: MixedValue) -> Bool {
        switch value {
        case .string(let view), .binary(let view): view.count > BytesForm.longestMediumString
        default: false
        }
    }
}
