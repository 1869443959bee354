package import RealmLayout

/// The number of readable objects that salvaging a commit would recover (Spec R190.17).
package struct SalvageYield: Equatable, Sendable {
    /// The object counts of a table.
    package struct Table: Equatable, Sendable {
        /// The full name of the table.
        package let name: String
        /// Number of readable objects; some of their values may be lost.
        package let objects: Int
        /// Number of objects that existed; nil when the file does not state it.
        package let expected: Int?
    }

    /// The commit number.
    package let commit: UInt64
    /// The ref of the commit's root.
    package let root: Ref
    /// The tables of the commit, in file order.
    package let tables: [Table]

    /// Total number of readable objects.
    package var objects: Int { tables.reduce(0) { $0 + $1.objects } }

    /// Total number of objects that existed; nil when the file does not state it for every table.
    package var expected: Int? {
        tables.reduce(Optional(0)) { sum, table in
            guard let sum, let expected = table.expected else { return nil }
            return sum + expected
        }
    }
}
