internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The sinks of a format, without their concrete type.
protocol DocumentSinks: Sendable {
    /// Writes all objects of one table to a destination, without header and end.
    func export(
        _ position: TablePosition, orphans: Bool, of exporter: Exporter, to destination: any ByteDestination,
        _ progress: @escaping (Int) -> Void
    ) async throws -> ClassOutcome

    /// Makes documents of one table on demand.
    func pieces(ofTable position: TablePosition, of exporter: Exporter) -> any DocumentPieces
}

/// Sinks of one type.
private struct SinksOfType<Sink: DocumentSink & ~Copyable>: DocumentSinks {
    let makeSink: @Sendable () -> Sink

    func export(
        _ position: TablePosition, orphans: Bool, of exporter: Exporter, to destination: any ByteDestination,
        _ progress: @escaping (Int) -> Void
    ) async throws -> ClassOutcome {
        let export = ClassExport(
            plan: exporter.plan, position: position, jobs: max(1, exporter.options.jobs), makeSink: makeSink,
            firstByte: exporter.firstByte, writesOrphans: orphans, chosen: exporter.chosenKeys(at: position),
            progress: progress)
        return try await export.run(to: destination)
    }

    func pieces(ofTable position: TablePosition, of exporter: Exporter) -> any DocumentPieces {
        PieceMaker(
            exporter.plan, makeSink(), position, chosen: exporter.chosenKeys(at: position),
            firstByte: exporter.firstByte)
    }
}

extension Exporter {
    /// The sinks of the export's format.
    ///
    /// - Parameter isSingle: Whether they are for standalone documents.
    func sinks(isSingle: Bool = false) -> any DocumentSinks {
        let (isCanonical, hasSafeInts, keepsNulls) = (options.isCanonical, options.hasSafeInts, options.keepsNulls)
        let turnsGuids = options.turnsGuids
        switch options.format {
        case .bson:
            return SinksOfType {
                var sink = BSONSink(isCanonical: isCanonical)
                sink.turnsGuids = turnsGuids
                return sink
            }
        case .ejson, .json:
            let style = options.jsonStyle
            let separator: UInt8? = options.isJSONArray && !isSingle ? UInt8(ascii: ",") : nil
            return SinksOfType {
                var sink = JSONSink(
                    style: style, isCanonical: isCanonical, hasSafeInts: hasSafeInts, separator: separator)
                sink.turnsGuids = turnsGuids
                return sink
            }
        case .csv, .tsv:
            let separator = columnSeparator
            return SinksOfType {
                CSVSink(
                    separator: separator, hasSafeInts: hasSafeInts, keepsNulls: keepsNulls, turnsGuids: turnsGuids)
            }
        }
    }

    private var columnSeparator: UInt8 { options.format == .csv ? CSVSink.comma : CSVSink.tab }

    private var isArray: Bool { options.isJSONArray && options.format != .bson && !options.format.isTable }

    /// The byte that overwrites the first byte of the documents: the bracket of a JSON array.
    fileprivate var firstByte: UInt8? { isArray ? UInt8(ascii: "[") : nil }

    /// The bytes before the documents of a table: the header line of a table format.
    func header(ofTable position: TablePosition) -> [UInt8]? {
        guard options.format.isTable else { return nil }
        let names = [TableSchema.identityField] + plan.columnNames(of: plan.tables[position])
        return CSVSink.header(names, columnSeparator)
    }

    /// The text after the documents: the end of a JSON array.
    func end(afterObjects count: Int) -> String? { isArray ? count == 0 ? "[]\n" : "]\n" : nil }
}
