internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Makes objects from documents. This is the hot loop of every import, the inverse of `DocumentWriter`.
///
/// Walks each document once, field by field, and passes each value to the writer as a view of the document's bytes.
final class ObjectImporter {
    let plan: ImportPlan
    let writer: ObjectWriter
    let cursor = BSONCursor()
    let fields: UncheckedSpan<ImportField>
    let tables: UncheckedSpan<ImportTable>
    /// The object keys of link targets, by table; nil if documents contain them.
    let keys: IdentityKeys
    let exact: ExactSchema?
    var losses = ImportLosses()
    /// Number of objects of each table.
    let counts: UncheckedArray<Int>
    private let count: UncheckedSpan<Int>
    /// Deferred links of open objects; those of the innermost one begin at `firstWaiting`.
    private let waitingSlab = UncheckedArray<WaitingLink>(count: ObjectImporter.mostWaitingLinks)
    let waitingLinks: UncheckedSpan<WaitingLink>
    var waitingCount = 0
    private(set) var firstWaiting = 0
    /// Names that occur in every document.
    private let identityName = StaticName.identity.text
    private let realmName = StaticName.realm.text
    /// The identity of the current document's object, if it is not a property.
    private var identity: BSONElement?
    /// Number of documents so far.
    private var written = 0
    /// Bytes converted from texts in the current document.
    var texts: KeyTable {
        hasTexts = true
        return textTable
    }
    private var textTable = KeyTable()
    private var hasTexts = false
    /// The source of the current document.
    private(set) var source: any DocumentSource
    /// Whether its values come from JSON or CSV, where some are spelled as text.
    private(set) var isText = false

    init(_ plan: ImportPlan, _ keys: IdentityKeys, _ exact: ExactSchema?, to writer: ObjectWriter) {
        self.plan = plan
        self.keys = keys
        self.exact = exact
        self.writer = writer
        fields = UncheckedSpan(plan.fields)
        tables = UncheckedSpan(plan.tables)
        counts = UncheckedArray([Int](repeating: 0, count: plan.tables.count))
        count = UncheckedSpan(counts)
        waitingLinks = UncheckedSpan(waitingSlab)
        source = NoDocuments()
    }

    /// Imports all documents of a source.
    ///
    /// - Parameter progress: Called with the number of documents from time to time; these are also the points of
    ///   cancellation.
    func run(_ source: any DocumentSource, progress: (Int) -> Void) throws(ImportError) {
        self.source = source
        isText = source.isText
        while let document = try source.next() {
            let position = source.position
            do throws(ImportError) {
                if plan.isCanonical || tables[unchecked: position].isEmbedded {
                    _ = try object(document, position, level: 0)
                } else {
                    try importDocument(document, position)
                }
            } catch {
                guard case .document(let error) = error else { throw error }
                throw .document(source.located(error))
            }
            if isText, !source.roundedFields.isEmpty { noteRounded(position, document) }
            if isText, !source.repairedFields.isEmpty { noteRepaired(position, document) }
            if hasTexts { (textTable, hasTexts) = (KeyTable(), false) }
            written &+= 1
            if written & 0xFFF == 0 {
                progress(written)
                if Task.isCancelled { throw .cancelled }
            }
        }
    }

    /// Imports a document whose object has no key yet.
    private func importDocument(_ document: ByteView, _ position: TablePosition) throws(ImportError) {
        switch try keys.claim(document, position, cursor, isText: isText) {
        case .key(let key): _ = try object(document, position, level: 0, key: key)
        case .missing: noteDocument(.missingIdentity, position, document)
        case .duplicate: noteDocument(.duplicateIdentity, position, document)
        }
    }

    /// Makes an object from a document.
    ///
    /// - Parameter key: The object's key; nil if the document contains it, or the writer chooses it.
    /// - Returns: The key.
    func object(
        _ document: ByteView, _ position: TablePosition, level: Int, key given: ObjectKey? = nil
    ) throws(ImportError) -> ObjectKey {
        var place = try begin(level, document)
        writer.begin(position)
        let firstWaitingAround = firstWaiting
        firstWaiting = waitingCount
        let table = tables[unchecked: position]
        let end = table.firstField &+ table.fieldCount
        var key = given
        if level == 0 { identity = nil }
        // Fields are mostly in the order of the properties, with the object key at the end.
        var expected = table.firstField
        while true {
            if expected < end, let element = place.plainElement(named: fields[unchecked: expected].expectedName) {
                try property(element, expected, table.hasUnresolvedLinks, level: level)
                expected &+= 1
                continue
            }
            if table.saysKeyAtEnd, let found = place.objectKeyAtEnd() {
                key = found
                break
            }
            guard let element = try next(&place) else { break }
            let number = find(element.key, table, after: expected)
            guard number >= 0 else {
                if let found = try special(element, position, level: level) { key = found }
                continue
            }
            // The identity precedes all fields, whichever property it is.
            let isIdentity = table.isPrimaryKeyIdentity && number &- table.firstField == table.primaryField
            if number == expected || number > expected && !isIdentity { expected = number &+ 1 }
            try anyProperty(element, number, table.hasUnresolvedLinks, level: level)
        }
        try resolveLinks()
        firstWaiting = firstWaitingAround
        try complete(table, position, key, level: level, document)
        let objectKey = try importing { () throws(WriteError) in try writer.end(key: key) }
        count[unchecked: position] &+= 1
        return objectKey
    }

    /// The number of the field with that name; -1 if there is none.
    @inline(never)
    private func find(_ name: ByteView, _ table: ImportTable, after expected: Int) -> Int {
        let end = table.firstField &+ table.fieldCount
        if expected < end, fields[unchecked: expected].name.isSame(as: name) { return expected }
        let next = expected &+ 1
        if next < end, fields[unchecked: next].name.isSame(as: name) { return next }
        return plan.field(name, of: table)
    }

    /// Handles a field that is not a property: the object's identity, or an unknown field.
    ///
    /// - Returns: The object's key, if the field contains it.
    @inline(never)
    private func special(
        _ element: BSONElement, _ position: TablePosition, level: Int
    ) throws(ImportError) -> ObjectKey? {
        let table = tables[unchecked: position]
        if !table.isEmbedded, element.key.isSame(as: identityName) {
            if table.primaryField >= 0 {
                identity = element
            } else if plan.isCanonical {
                guard let number = element.integer else {
                    throw notCanonical(element, "the object key is not an integer")
                }
                return ObjectKey(number)
            }
        } else if plan.isCanonical, element.key.isSame(as: realmName) {
            if let usual = BSONPlace.objectKey(in: element.value), element.isOf(.document) { return usual }
            guard let inner = try onlyElement(of: element, level), inner.key.isSame(as: .key),
                let number = inner.integer
            else { throw notCanonical(element, "`$realm` is not the object key") }
            return ObjectKey(number)
        } else {
            noteDocument(.unknownField, position, element.value, field: element.key)
        }
        return nil
    }

    private func notCanonical(_ element: BSONElement, _ detail: String) -> ImportError {
        .document(DocumentError(.notCanonical, at: cursor.offset(of: element.value), detail))
    }

    /// Adds the parts of the object that are not fields of its document.
    @inline(__always)
    private func complete(
        _ table: ImportTable, _ position: TablePosition, _ key: ObjectKey?, level: Int, _ document: ByteView
    ) throws(ImportError) {
        if plan.isCanonical, key == nil {
            throw .document(
                DocumentError(
                    .notCanonical, at: cursor.offset(of: document), "a document without its object key in `$realm`"))
        }
        if level == 0, let identity, !writer.hasValue(PropertyIndex(table.primaryField)) {
            try otherProperty(identity, table.firstField &+ table.primaryField, table.hasUnresolvedLinks, level: level)
        }
        if table.hasUnresolvedLinks, let key { try setUnresolvedLinks(of: key, position) }
        if let first = writer.firstMissing() { try setMissing(from: first, table, position, document) }
    }

    /// Sets links to tombstones, which are null in documents.
    private func setUnresolvedLinks(of key: ObjectKey, _ position: TablePosition) throws(ImportError) {
        guard let exact else { return }
        let properties = plan.schema[position].properties
        for (property, definition) in zip(properties.propertyIndexes, properties) {
            guard !writer.hasValue(property),
                let target = exact.unresolvedLinks[position][.init(object: key.value, property: property)]
            else { continue }
            try importing { () throws(WriteError) in
                if definition.type == .mixed {
                    try writer.set(property, .link(writer.file.tables[target.table].key, target.key))
                } else {
                    try writer.set(property, link: target.key)
                }
            }
        }
    }

    /// Sets required properties without a value to zero or an empty value.
    private func setMissing(
        from first: PropertyIndex, _ table: ImportTable, _ position: TablePosition, _ document: ByteView
    ) throws(ImportError) {
        var missing: PropertyIndex? = first
        while let property = missing {
            let number = table.firstField + property.number
            note(.missingValue, number, document)
            try importing { () throws(WriteError) in
                try writer.set(property, plan.schema[position].properties[property].type.zero)
            }
            missing = writer.firstMissing(from: property)
        }
    }

    // MARK: Elements

    @inline(__always)
    func begin(_ level: Int, _ document: ByteView) throws(ImportError) -> BSONPlace {
        do throws(DocumentError) { return try cursor.begin(level, document) } catch { throw .document(error) }
    }

    @inline(__always)
    func next(_ place: inout BSONPlace) throws(ImportError) -> BSONElement? {
        do throws(DocumentError) { return try cursor.next(&place) } catch { throw .document(error) }
    }

    /// The only element of a document within the document at `level`; nil if it is not a document, or has several
    /// elements.
    func onlyElement(of element: BSONElement, _ level: Int) throws(ImportError) -> BSONElement? {
        guard element.isOf(.document) else { return nil }
        var place = try begin(level &+ 1, element.value)
        guard let inner = try next(&place), try next(&place) == nil else { return nil }
        return inner
    }

    // MARK: Losses

    /// Counts a loss of a field.
    ///
    /// - Parameter sample: The value, abbreviated.
    func note(
        _ kind: ImportLossKind, _ number: Int, _ place: ByteView, times: Int = 1,
        sample: @autoclosure () -> String? = nil
    ) {
        var position = TablePosition(0)
        while number >= tables[unchecked: position].firstField + tables[unchecked: position].fieldCount {
            position = position.next
        }
        losses.count(
            .init(table: position, property: fields[unchecked: number].property, kind: kind), times: times, of: source,
            at: cursor.offset(of: place), sample: sample())
    }

    /// Counts a loss of a document, or of a field that is not a property.
    private func noteDocument(
        _ kind: ImportLossKind, _ position: TablePosition, _ place: ByteView, field: ByteView? = nil
    ) {
        losses.count(
            .init(
                table: position, property: .none, kind: kind, field: field.map { losses.name(ofField: $0, position) }),
            times: 1, of: source, at: cursor.offset(of: place), sample: nil)
    }

    /// Counts integers that the source has already rounded. If the property does not accept doubles, the loss has been
    /// counted already.
    @inline(never)
    private func noteRounded(_ position: TablePosition, _ document: ByteView) {
        for name in source.roundedFields {
            let number = ByteView.with(Array(name.utf8)) { plan.field($0, of: tables[unchecked: position]) }
            guard number >= 0, [.double, .float, .mixed, .embedded].contains(fields[unchecked: number].form) else {
                continue
            }
            note(.inexactNumber, number, document)
        }
    }

    /// Counts lone surrogates that the source has already replaced.
    @inline(never)
    private func noteRepaired(_ position: TablePosition, _ document: ByteView) {
        for name in source.repairedFields {
            let number = ByteView.with(Array(name.utf8)) { plan.field($0, of: tables[unchecked: position]) }
            if number >= 0 {
                note(.malformedText, number, document)
            } else {
                noteDocument(.malformedText, position, document)
            }
        }
    }

    /// Counts a value rejected by the writer. Rethrows errors that are not losses.
    @inline(never)
    func lost(_ error: WriteError, _ number: Int, _ place: ByteView) throws(ImportError) {
        guard case .misfit(let misfit) = error, let kind = ImportLossKind(misfit.code) else { throw .write(error) }
        note(kind, number, place)
    }
}

/// An empty source.
private final class NoDocuments: DocumentSource {
    let name = ""
    let position = TablePosition(0)
    let number = -1
    let offset = 0
    let isBinary = false

    func next() -> ByteView? { nil }
}
