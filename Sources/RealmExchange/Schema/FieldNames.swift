public import RealmCore
internal import RealmLayout

extension TableSchema {
    /// The first field of every document of a class: the primary key, or the object key.
    public static let identityField = "_id"

    /// The name of a property's field in BSON documents, usually the property's own name.
    ///
    /// A property called `_id` that is not the primary key becomes `_id_`, with more underscores if necessary, because
    /// `_id` is the identity. Embedded objects have no identity, so their properties keep that name. NUL, which
    /// terminates names in BSON, becomes `%00`.
    public func fieldName(of property: StoredProperty) -> String {
        guard let number = properties.firstIndex(named: property.name, { $0.name }) else {
            return property.name
        }
        return fieldNames(escapingDollar: false)[number]
    }

    /// The names of all properties' fields in documents.
    ///
    /// - Parameter escapingDollar: Whether a leading `$` is escaped because it would look like a wrapper.
    func fieldNames(escapingDollar: Bool) -> [String] {
        FieldNames.of(
            properties.map(\.name), identityIsTaken: kind != .embedded && primaryKeyName != Self.identityField,
            escapingDollar: escapingDollar)
    }
}

/// Conversion of property names to field names (Spec 180).
enum FieldNames {
    /// The names of fields, distinct if those of the properties are. Changed names avoid the unchanged ones.
    ///
    /// - Parameters:
    ///   - properties: The names of a class's properties.
    ///   - identityIsTaken: Whether `_id` is the identity rather than a property.
    ///   - escapingDollar: Whether a leading `$` is escaped.
    static func of(_ properties: [String], identityIsTaken: Bool, escapingDollar: Bool) -> [String] {
        func isKept(_ name: String) -> Bool {
            !(identityIsTaken && name == TableSchema.identityField) && !name.utf8.contains(0)
                && !(escapingDollar && name.utf8.first == UInt8(ascii: "$"))
        }
        guard !properties.allSatisfy(isKept) else { return properties }
        var taken = Set(properties.map { ExactName($0) })
        return properties.enumerated().map { number, name in
            guard !isKept(name) else { return name }
            var field = name == TableSchema.identityField ? name + "_" : escaped(name, escapingDollar: escapingDollar)
            var tries = 0
            while !taken.insert(ExactName(field)).inserted {
                tries += 1
                // A crafted file could make the underscores run on without end.
                field += tries == 8 ? "\(number)_" : "_"
            }
            return field
        }
    }

    private static func escaped(_ name: String, escapingDollar: Bool) -> String {
        var bytes: [UInt8] = []
        for (offset, byte) in name.utf8.enumerated() {
            switch byte {
            case 0: bytes += "%00".utf8
            case UInt8(ascii: "$") where escapingDollar && offset == 0: bytes += "%24".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
