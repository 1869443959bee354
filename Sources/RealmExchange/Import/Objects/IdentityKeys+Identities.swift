internal import RealmCore
internal import RealmLayout

// The identities of documents' objects.
extension IdentityKeys {
    /// The identity of a document's object: its primary key, or `_id`; nil if there is none.
    func identity(
        of document: ByteView, _ position: TablePosition, _ cursor: BSONCursor, isText: Bool
    ) throws(DocumentError) -> Fingerprint? {
        let table = tables[unchecked: position]
        var place = try cursor.begin(0, document)
        var isNull = false
        while let element = try cursor.next(&place) {
            if !table.hasIdentityProperty, element.key.isSame(as: .identity) {
                // `_id` stands for the primary key whatever its name. Null is used only if there is no other value.
                if element.type == .null {
                    isNull = true
                } else if let found = fingerprint(of: try unwrapped(element, cursor), position, isText: isText) {
                    return found
                }
            } else if !plan.isCanonical, table.primaryField >= 0,
                element.key.isSame(as: fields[unchecked: table.firstField &+ table.primaryField].name)
            {
                return fingerprint(of: element, position, isText: isText)
            } else if plan.isCanonical {
                return nil
            }
        }
        return isNull && canBeNull(position) ? .null : nil
    }

    /// Unwraps a string that is not UTF-8.
    func unwrapped(_ element: BSONElement, _ cursor: BSONCursor) throws(DocumentError) -> BSONElement {
        guard element.begins(with: .realm) else { return element }
        var wrapper = try cursor.begin(1, element.value)
        guard let outer = try cursor.next(&wrapper), outer.type == .document else { return element }
        var content = try cursor.begin(2, outer.value)
        guard let inner = try cursor.next(&content), inner.key.isSame(as: .utf8), inner.type == .binary else {
            return element
        }
        return inner
    }

    /// Whether null is a valid identity.
    func canBeNull(_ position: TablePosition) -> Bool {
        let table = tables[unchecked: position]
        return !plan.isCanonical && table.primaryField >= 0
            && fields[unchecked: table.firstField &+ table.primaryField].isNullable
    }

    /// The form of a table's primary key; nil if it has none.
    func primaryForm(_ position: TablePosition) -> ScalarKind? {
        let primary = tables[unchecked: position].primaryField
        return primary < 0 ? nil : fields[unchecked: tables[unchecked: position].firstField &+ primary].form
    }

    func fingerprint(of element: BSONElement, _ position: TablePosition, isText: Bool) -> Fingerprint? {
        switch (element.type, primaryForm(position)) {
        case (.int64, .int), (.int32, .int), (.int64, nil), (.int32, nil):
            return element.integer.map { Fingerprint($0) }
        case (.objectId, .objectId), (.objectId, nil): return Fingerprint(fixed: element.value)
        case (.binary, .uuid) where element.value.count == 16, (.binary, nil) where element.value.count == 16:
            return Fingerprint(fixed: element.value)
        case (.string, .string), (.binary, .string), (.string, nil):
            return Fingerprint(element.value, hash)
        case (.null, _) where canBeNull(position): return .null
        case (.string, let form?) where isText: return element.value.string.flatMap { Fingerprint(parsing: $0, form) }
        default: return nil
        }
    }

    /// The object key at the end of a document of a canonical export; nil if there is none.
    static func objectKey(of document: ByteView, _ cursor: BSONCursor) throws(DocumentError) -> ObjectKey? {
        if let key = BSONPlace.objectKey(atEndOf: document) { return key }
        var place = try cursor.begin(0, document)
        while let element = try cursor.next(&place) {
            guard element.key.isSame(as: .realm), element.type == .document else { continue }
            var wrapper = try cursor.begin(1, element.value)
            return try cursor.next(&wrapper)?.integer.map { ObjectKey($0) }
        }
        return nil
    }
}
