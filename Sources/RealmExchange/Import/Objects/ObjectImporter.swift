internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmWriter

/// Makes objects of documents: the hot loop of every import, the inverse of `DocumentWriter`.
///
/// Goes through a document once, field by field, and hands each value to the writer as a view of the document's bytes.
final class ObjectImporter {
    let plan: ImportPlan
    let writer: ObjectWriter
    let cursor = BSONCursor()
    let fields: UncheckedSpan<ImportField>
    let tables: UncheckedSpan<ImportTable>
    /// The object keys that links lead to, by table; nil where documents name them.
    let keys: IdentityKeys
    let exact: ExactSchema?
    var losses = ImportLosses()
    /// Objects of each table.
    let counts: UncheckedArray<Int>
    private let count: UncheckedSpan<Int>
    /// Links of open objects that wait; those of the last one begin at `firstWaiting`.
    private let waitingSlab = UncheckedArray<WaitingLink>(count: ObjectImporter.mostWaitingLinks)
    let waitingLinks: UncheckedSpan<WaitingLink>
    var waitingCount = 0
    private(set) var firstWaiting = 0
    /// Names that each document has.
    private let identityName = StaticName.identity.text
    private let realmName = StaticName.realm.text
    /// What identifies the object of the document at hand, if that is no property.
    private var identity: BSONElement?
    /// Documents so far.
    private var written = 0
    /// Bytes that were made of texts in the document at hand.
    var texts: KeyTable {
        hasTexts = true
        return textTable
    }
    private var textTable = KeyTable()
    private var hasTexts = false
    /// Where the document at hand comes from.
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
    /// - Parameter progress: is told from time to time how many documents there were; the import may be cancelled then.
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

    /// Makes an object of a document.
    ///
    /// - Parameter key: the object's key; nil when the document says it, or the writer chooses it.
    /// - Returns: the key.
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
        // Fields mostly come in the order of the properties, and the object key at the end.
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
            // The identity stands in front of all fields, whichever property it is.
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

    /// The number of the field of that name; -1 for none.
    @inline(never)
    private func find(_ name: ByteView, _ table: ImportTable, after expected: Int) -> Int {
        let end = table.firstField &+ table.fieldCount
        if expected < end, fields[unchecked: expected].name.isSame(as: name) { return expected }
        let next = expected &+ 1
        if next < end, fields[unchecked: next].name.isSame(as: name) { return next }
        return plan.field(name, of: table)
    }

    /// Takes a field that is no property: what identifies the object, or something unknown.
    ///
    /// - Returns: the object's key, if the field says it.
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

    /// Gives the object what its document does not say in fields.
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

    /// Sets links to tombstones, which documents have as null.
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

    /// Gives properties that need a value zero or an empty one.
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

    /// The only element of a document in the document at `level`; nil when it is no document, or has others.
    func onlyElement(of element: BSONElement, _ level: Int) throws(ImportError) -> BSONElement? {
        guard element.isOf(.document) else { return nil }
        var place = try begin(level &+ 1, element.value)
        guard let inner = try next(&place), try next(&place) == nil else { return nil }
        return inner
    }

    // MARK: Losses

    /// Counts a loss of a field.
    ///
    /// - Parameter sample: the value in short.
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

    /// Counts a loss of a document, or of a field that is no property.
    private func noteDocument(
        _ kind: ImportLossKind, _ position: TablePosition, _ place: ByteView, field: ByteView? = nil
    ) {
        losses.count(
            .init(
                table: position, property: .none, kind: kind, field: field.map { losses.name(ofField: $0, position) }),
            times: 1, of: source, at: cursor.offset(of: place), sample: nil)
    }

    /// Counts integers that were rounded before they came here. Where a property takes no doubles that is counted already.
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

    /// Counts halves of characters that were replaced before they came here.
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

    /// Counts what the writer did not take; throws what is no loss.
    @inline(never)
    func lost(_ error: WriteError, _ number: Int, _ place: ByteView) throws(ImportError) {
        guard case .misfit(let misfit) = error, let kind = ImportLossKind(misfit.code) else { throw .write(error) }
        note(kind, number, place)
    }
}

/// Where nothing comes from.
private final class NoDocuments: DocumentSource {
    let name = ""
    let position = TablePosition(0)
    let number = -1
    let offset = 0
    let isBinary = false

    func next() -> ByteView? { nil }
}
