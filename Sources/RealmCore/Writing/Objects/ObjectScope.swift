internal import RealmLayout

/// The state of an open object of an `ObjectWriter`.
struct ObjectScope: BitwiseCopyable {
    /// The object's table; `.none` outside of all objects.
    var table = TablePosition.none
    /// Index of the table's first column among the columns of the file.
    var firstColumn = 0
    /// The row of the current cluster that receives the values; negative when they are buffered until the end.
    var row = -1
    /// Equals `row` while no other values are deferred.
    var freeRow = -1
    var propertyCount = 0
    /// Number of properties with a value.
    var setCount = 0
    /// Number of open collections when the object began, and of deferred items in the properties below.
    var firstCollection = 0
    var firstLink = 0
    var firstWord = 0
    var firstLateValue = 0
}

/// A link of an open object, to be added when the object's key is known.
struct PendingLink: BitwiseCopyable {
    /// The index of the target's `PendingBacklinks`.
    let ledger: Int
    let target: ObjectKey
}

/// An element of an indexed list of strings of an open object.
struct DeferredIndexWord {
    let property: PropertyIndex
    let word: [UInt8]?
}

/// A value to write at the end of its object. Long values have nodes of their own, which must be in property order.
struct DeferredValue: BitwiseCopyable {
    let property: PropertyIndex
    let value: MixedValue

    /// Whether a value must be deferred.
    @inline(__always)
    static func isLate(_ value: MixedValue) -> Bool {
        switch value {
        case .string(let view), .binary(let view): view.count > BytesForm.longestMediumString
        default: false
        }
    }
}
