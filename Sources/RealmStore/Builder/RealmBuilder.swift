public import RealmCore
public import RealmLayout
package import RealmStorage

/// Creates a new database file object by object.
///
/// ```swift
/// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
/// let rex = try builder.add("Dog", ["_id": 1, "name": "Rex"])
/// try builder.add("Person", ["name": "Ann", "dogs": [.link(rex), .link(primaryKey: 2)]])
/// try builder.add("Dog", ["_id": 2, "name": "Fido"])
/// try builder.finish()
/// ```
///
/// The file appears when `finish` returns; without that call, nothing remains. The same calls produce the same bytes.
/// An object with a value that does not fit is rejected as a whole, and the builder remains usable. After any other
/// error it is unusable and throws the same error again.
///
/// Objects are written immediately, in the order in which they are added. Memory holds links and primary keys, and the
/// objects of classes whose keys do not ascend: after a key was chosen, or was reserved for an object that is linked
/// to by its primary key before it is added.
public final class RealmBuilder {
    private let writer: ObjectWriter
    private let recorder: ObjectEncoder
    private var books: ByTable<PrimaryKeyRegistry>
    private var failure: WriteError?

    /// Begins a file.
    ///
    /// - Throws: `badSchema`, or errors of the system.
    public convenience init(_ schema: SchemaDefinition, at file: NewFile) throws(WriteError) {
        try schema.normalized.check()
        try self.init(schema, to: file.begin())
    }

    /// Begins a file that is written to `output`.
    package init(_ schema: SchemaDefinition, to output: DatabaseOutput) throws(WriteError) {
        let writer = try ObjectWriter(schema, to: output)
        self.writer = writer
        let file = writer.file
        recorder = ObjectEncoder(
            ByTable(file.tables.prefix(schema.tables.count).map { BuilderClass($0, in: file) }), in: file.nodes.folder)
        books = ByTable(repeating: PrimaryKeyRegistry(), count: schema.tables.count)
    }

    /// Adds an object.
    ///
    /// Missing properties are null or empty. Properties that cannot be null are required.
    ///
    /// - Parameters:
    ///   - className: The name of the class, or the full name of another table.
    ///   - values: The properties by name.
    ///   - key: The object's key; nil for the next one in sequence. Keys must be given from the first object of a
    ///     class on, or be higher than all previous ones.
    /// - Returns: A reference for links to the object.
    /// - Throws: `WriteError.misfit` with the table, the path to the value that does not fit, and the object.
    @discardableResult
    public func add(
        _ className: String, _ values: [String: NewValue], key: ObjectKey? = nil
    ) throws(WriteError) -> ObjectReference {
        if let failure { throw failure }
        let table = try position(of: className)
        let name = writer.file.tables[table].definition.tableName
        let prepared: (PrimaryKeyRegistry.Value?, ObjectKey?)
        do throws(InvalidValue) {
            prepared = try prepare(values, table, key)
        } catch {
            var misfit = error
            if let primaryKey = recorder.classes[table].definition.primaryKey.flatMap({ values[$0] }) {
                misfit.detail += " (primary key \(primaryKey.text))"
            }
            throw .misfit(misfit.at(table: name, objectKey: key ?? writer.nextKey(table)))
        }
        let objectKey = prepared.1 ?? writer.reserveKey(table)
        if let primaryKey = prepared.0 { books[table].set(primaryKey, .object(objectKey)) }
        do throws(WriteError) {
            try write(table, objectKey)
        } catch {
            throw fail(error)
        }
        return ObjectReference(className, objectKey)
    }

    /// Adds an object of values of Swift types, or of another file.
    ///
    /// ```swift
    /// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
    /// for (id, name) in ["Rex", "Fido"].enumerated() {
    ///     try builder.add("Dog", ["_id": id, "name": name])
    /// }
    /// ```
    ///
    /// - Throws: The errors of `add(_:_:key:)` for typed values, and errors of values that cannot be represented, with
    ///   their property.
    @_disfavoredOverload  // Literals of literals mean the same either way.
    @discardableResult
    public func add(
        _ className: String, _ object: NewObject, key: ObjectKey? = nil
    ) throws(WriteError) -> ObjectReference {
        let values: [String: NewValue]
        do throws(WriteError) {
            values = try object.checkedValues()
        } catch {
            guard case .misfit(let misfit) = error, let table = recorder.position(of: className) else { throw error }
            throw .misfit(
                misfit.at(
                    table: writer.file.tables[table].definition.tableName, objectKey: key ?? writer.nextKey(table)))
        }
        return try add(className, values, key: key)
    }

    /// The schema of the file.
    package var schema: SchemaDefinition { writer.schema }

    /// Adds a tombstone: a link target that does not exist. It must be added before links to it.
    ///
    /// - Returns: A reference for links to it; `NewValue.link(primaryKey:)` works as well.
    /// - Throws: `WriteError.misfit` when the class has no primary key, or it is in use.
    @discardableResult
    public func addTombstone(_ className: String, primaryKey: NewValue) throws(WriteError) -> ObjectReference {
        if let failure { throw failure }
        let table = try position(of: className)
        do throws(InvalidValue) {
            recorder.removeAll()
            let value = try recorder.identity(primaryKey, in: table)
            guard books[table][value] == nil else {
                throw InvalidValue(.duplicatePrimaryKey, "the primary key \(primaryKey.text) is in use")
            }
            let key = ObjectKey(-2 - writer.reserveKey(table).value)
            books[table].set(value, .tombstone(key))
            return ObjectReference(className, key)
        } catch {
            throw .misfit(error.at(table: writer.file.tables[table].definition.tableName))
        }
    }

    /// Writes the remaining nodes and gives the file its name.
    ///
    /// - Throws: `danglingLink` when a link target was never added. It can still be added if it was identified by its
    ///   primary key. `duplicateKey` and errors of the system, after which the file is deleted.
    public func finish() throws(WriteError) {
        if let failure { throw failure }
        for (table, book) in books.indexed {
            guard let (origin, text) = book.firstPromise else { continue }
            let definition = writer.file.tables[origin.table].definition
            throw .misfit(
                InvalidValue(
                    .danglingLink,
                    "links to the \(writer.file.tables[table].definition.name) with the primary key \(text), which was not added"
                ).at(
                    table: definition.tableName, property: definition.properties[origin.property].name,
                    objectKey: origin.object))
        }
        do throws(WriteError) {
            for table in books.indices { try writeTombstones(table) }
            try writer.finish()
            failure = .misfit(
                InvalidValue(
                    .finished, "the file is finished: \(writer.path) is there, and nothing more can be added to it"))
        } catch {
            throw fail(error)
        }
    }

    private func fail(_ error: WriteError) -> WriteError {
        writer.discard()
        failure = error
        return error
    }

    private func position(of className: String) throws(WriteError) -> TablePosition {
        guard let table = recorder.position(of: className) else {
            throw .misfit(InvalidValue(.noSuchTable, "there is no class \(className)"))
        }
        if let misfit = recorder.classes[table].embeddedMisfit {
            throw .misfit(misfit.at(table: writer.file.tables[table].definition.tableName))
        }
        return table
    }

    /// Checks and records an object.
    ///
    /// - Returns: Its primary key, and its object key if already known.
    private func prepare(
        _ values: [String: NewValue], _ table: TablePosition, _ key: ObjectKey?
    ) throws(InvalidValue) -> (PrimaryKeyRegistry.Value?, ObjectKey?) {
        recorder.removeAll()
        try recorder.record(values, of: table)
        var known = key
        var primaryKey: PrimaryKeyRegistry.Value?
        if let name = recorder.classes[table].definition.primaryKey {
            let value = try recorder.identity(values[name] ?? .null, in: table)
            primaryKey = value
            switch books[table][value] {
            case .object(let other):
                throw InvalidValue(.duplicatePrimaryKey, "the object \(other) has the same primary key").at(
                    property: name)
            case .tombstone(let other):
                throw InvalidValue(.duplicatePrimaryKey, "the tombstone \(other) has the same primary key").at(
                    property: name)
            case .promised(let promised, _, _):
                guard key == nil || key == promised else {
                    throw InvalidValue(.badObjectKey, "links lead to it already, by which its key is \(promised)")
                }
                known = promised
            case nil: break
            }
        }
        guard let key else { return (primaryKey, known) }
        guard key.value >= 0, key.value < .max else {
            throw InvalidValue(.badObjectKey, "\(key) is not an object key")
        }
        if let last = writer.lastWrittenKey(table), key <= last {
            throw InvalidValue(.badObjectKey, "the key is not higher than \(last), which was not chosen")
        }
        writer.keepUntilEnd(table)
        return (primaryKey, known)
    }
}

// Transfers the recorded object to the writer.
extension RealmBuilder {
    private func write(_ table: TablePosition, _ key: ObjectKey) throws(WriteError) {
        // An object that reserves the key of another one of its table must be buffered.
        for case .link(.primaryKey(let value, _), let linked, _, _) in recorder.steps
        where linked == table && books[table][value] == nil {
            writer.keepUntilEnd(table)
        }
        writer.begin(table)
        // The property of the outermost object that contains the current step.
        var property = PropertyIndex(0)
        var depth = 0
        let bytes = recorder.bytes.view
        for step in recorder.steps {
            switch step {
            case .begin(let embedded, let place):
                if depth == 0, let place { property = place }
                writer.begin(embedded)
                depth += 1
            case .end(let place):
                depth -= 1
                let embedded = try writer.end()
                if let place { try writer.set(place, link: embedded) } else { try writer.add(link: embedded) }
            case .set(let place, let value): try writer.set(place, value.value(bytes))
            case .add(let value): try writer.add(value.value(bytes))
            case .link(let target, let linked, let place, let isMixed):
                if depth == 0, let place { property = place }
                let origin = PrimaryKeyRegistry.Origin(table: table, property: property, object: key)
                let found = resolve(target, in: linked, origin)
                switch (place, isMixed) {
                case (let place?, true): try writer.set(place, .link(writer.file.tables[linked].key, found))
                case (let place?, false): try writer.set(place, link: found)
                case (nil, true): try writer.add(.link(writer.file.tables[linked].key, found))
                case (nil, false): try writer.add(link: found)
                }
            case .beginCollection(let place):
                if depth == 0 { property = place }
                try writer.beginCollection(place)
            case .beginNested(let place, let isDictionary):
                if depth == 0, let place { property = place }
                try writer.beginNested(place, isDictionary: isDictionary)
            case .endCollection: try writer.endCollection()
            case .key(.int(let number)): writer.add(key: number)
            case .key(let text):
                if case .string(let view) = text.value(bytes) { writer.add(key: view) }
            }
        }
        try writer.end(key: key)
    }

    /// Returns the key of a link's target, and reserves one for an object that is not added yet.
    private func resolve(
        _ target: ObjectEncoder.LinkResolver, in table: TablePosition, _ origin: PrimaryKeyRegistry.Origin
    ) -> ObjectKey {
        switch target {
        case .key(let key): return key
        case .primaryKey(let value, let text):
            if let known = books[table][value] { return known.key }
            let key = writer.reserveKey(table)
            writer.keepUntilEnd(table)
            books[table].set(value, .promised(key, by: origin, text: text))
            return key
        }
    }

    private func writeTombstones(_ table: TablePosition) throws(WriteError) {
        let isText = recorder.classes[table].primaryKey.map { recorder.classes[table].properties[$0].type }
        for (key, primaryKey) in books[table].tombstones.sorted(by: { $0.key < $1.key }) {
            switch primaryKey {
            case .null: try writer.addTombstone(table, key: key, primaryKey: .null)
            case .int(let number): try writer.addTombstone(table, key: key, primaryKey: .int(number))
            case .bytes(let bytes):
                try ByteView.with(bytes) { view throws(WriteError) in
                    let value: MixedValue =
                        switch isText {
                        case .objectId: .objectId(view)
                        case .uuid: .uuid(view)
                        default: .string(view)
                        }
                    try writer.addTombstone(table, key: key, primaryKey: value)
                }
            }
        }
    }
}
