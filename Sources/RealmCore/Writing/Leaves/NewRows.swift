package import RealmLayout
internal import RealmStorage

/// The columns of a cluster to which whole objects are appended (Spec 50).
package final class NewRows {
    /// One leaf for each property, in order; `backlinks` has one for each backlink column.
    private let properties: OwnedObjects<LeafBuilder>
    private let backlinks: OwnedObjects<LeafBuilder>

    package init(properties: [LeafBuilder], backlinks: [LeafBuilder]) {
        self.properties = OwnedObjects(properties)
        self.backlinks = OwnedObjects(backlinks)
    }

    /// The value of a property that is a link, Mixed, or a collection.
    package struct Prepared {
        /// The property's index in the schema.
        package let property: PropertyIndex
        package let value: Value

        package enum Value {
            case link(ObjectKey)
            case collection(Ref?)
            case mixed(MixedValue)
        }

        package init(property: PropertyIndex, value: Value) { (self.property, self.value) = (property, value) }
    }

    /// Appends an object.
    ///
    /// - Parameters:
    ///   - scalars: Valid values of all properties that are neither links, nor Mixed, nor collections; nil for null.
    ///     Entries of other properties are ignored.
    ///   - prepared: Values of the other properties, by property; missing ones are null or empty.
    /// - Throws: `WriteError` when there is no room for a long value.
    package func append(_ scalars: ByProperty<NewValue?>, _ prepared: [Prepared]) throws(WriteError) {
        precondition(scalars.count == properties.count, "one value a property")
        var next = 0
        for property in scalars.indices {
            let index = property.number
            if next < prepared.count, prepared[next].property == property {
                try append(prepared[next].value, to: index)
                next &+= 1
            } else if let value = scalars[property] {
                try properties.with(index) { leaf throws(WriteError) in try leaf.append(scalar: value) }
            } else {
                properties.with(index) { $0.appendNull() }
            }
        }
        for index in 0..<backlinks.count { backlinks.with(index) { $0.append(number: 0) } }
    }

    private func append(_ value: Prepared.Value, to index: Int) throws(WriteError) {
        try properties.with(index) { leaf throws(WriteError) in
            switch value {
            case .link(let target): leaf.append(link: target)
            case .collection(let root): leaf.append(number: Int64(root?.offset ?? 0))
            case .mixed(let value): try leaf.append(value, collectionKey: Int64(leaf.count + 1))
            }
        }
    }
}
