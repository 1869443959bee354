public import RealmLayout

/// A violation of a rule: its place, description and meaning.
///
/// ```swift
/// for finding in try await database.verify().findings { print(finding.place, finding.message, finding.consequence) }
/// ```
public struct Finding: Equatable, Sendable {
    /// The part of a database that a finding concerns; parts that do not apply are nil.
    public struct Place: Equatable, Sendable {
        /// The header slot of the commit: 0 or 1.
        public package(set) var slot: Int?
        /// The full name of the table.
        public package(set) var table: String?
        /// The name of the property, or a substitute for it.
        public package(set) var property: String?
        /// The affected object, or the first of several.
        public package(set) var objectKey: ObjectKey?

        /// Creates a place from its parts.
        package init(
            slot: Int? = nil, table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil
        ) {
            self.slot = slot
            self.table = table
            self.property = property
            self.objectKey = objectKey
        }
    }

    /// The violated rule.
    public let check: CheckIdentifier
    /// The severity of this case: that of the rule, or lower.
    public let severity: FindingSeverity
    /// The byte offset of the node or header field; nil when no single location is responsible.
    public let offset: Int?
    /// The location within the database.
    public let place: Place
    /// A description in one sentence, for people.
    public let message: String

    /// The meaning of the finding for the user's data, in one sentence.
    public var consequence: String {
        // The sentence of a rule describes its worst case.
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
