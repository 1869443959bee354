package import RealmLayout

/// What salvaging a commit would bring back: how many objects of it can be read (Spec R190.17).
package struct SalvageYield: Equatable, Sendable {
    /// The objects of a table.
    package struct Table: Equatable, Sendable {
        /// The full name of the table.
        package let name: String
        /// The objects that can be read, though single values of them may be lost.
        package let objects: Int
        /// The objects that there were; nil when the file does not say.
        package let expected: Int?
    }

    /// The number of the commit.
    package let commit: UInt64
    /// The ref of its root.
    package let root: Ref
    /// The tables of the commit in the order of the file.
    package let tables: [Table]

    /// All objects that can be read.
    package var objects: Int { tables.reduce(0) { $0 + $1.objects } }

    /// All objects that there were; nil when the file does not say of every table.
    package var expected: Int? {
        tables.reduce(Optional(0)) { sum, table in
            guard let sum, let expected = table.expected else { return nil }
            return sum + expected
        }
    }
}
