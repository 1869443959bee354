public import RealmLayout

/// What the verifier found wrong, where, and what it means.
///
/// ```swift
/// for finding in try await database.verify().findings { print(finding.place, finding.message, finding.consequence) }
/// ```
public struct Finding: Equatable, Sendable {
    /// The part of a database that a finding is about; parts that do not apply are nil.
    public struct Place: Equatable, Sendable {
        /// The header slot of the commit: 0 or 1.
        public package(set) var slot: Int?
        /// The full name of the table.
        public package(set) var table: String?
        /// The name of the property, or what stands for it.
        public package(set) var property: String?
        /// The object, or the first of those that are concerned.
        public package(set) var objectKey: ObjectKey?

        /// Makes a place from its parts.
        package init(
            slot: Int? = nil, table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil
        ) {
            self.slot = slot
            self.table = table
            self.property = property
            self.objectKey = objectKey
        }
    }

    /// The rule that is broken.
    public let check: CheckIdentifier
    /// How bad this case is: that of the rule, or milder.
    public let severity: FindingSeverity
    /// The byte offset of the node or header field; nil when no single place is to blame.
    public let offset: Int?
    /// Where in the database.
    public let place: Place
    /// What is wrong, in one sentence for a person.
    public let message: String

    /// What the finding means for the user's data: one sentence.
    public var consequence: String {
        // The sentence of a rule is that of its worst case.
        severity == .info && check.severity > .info ? "None: it is unusual, but of no effect." : check.consequence
    }
}

extension Finding.Place: CustomStringConvertible {
    /// The path, for messages: `Person.name, object 4`.
    public var description: String {
        var path = table ?? ""
        if let property { path += path.isEmpty ? property : ".\(property)" }
        if let objectKey { path += path.isEmpty ? "object \(objectKey)" : ", object \(objectKey)" }
        return path
    }
}
