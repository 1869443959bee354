internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The reason why a file cannot be unpacked.
struct UnpackFailure: Error {
    struct Refusal {
        /// The problem in words; nil if the kind of packing says it all.
        var problem: String?
        /// The advice in words.
        var advice: String?
        /// The command that follows it.
        var command: String?
    }

    enum Cause: Error {
        case storage(StorageError)
        /// The packing is broken, or none that this program undoes.
        case refused(Refusal)
        /// There are several databases.
        case choice([ArchiveEntry])
        /// There is no such file in the archive.
        case noSuchEntry(String, among: [ArchiveEntry])
        /// `--entry` is given for a file that is no archive.
        case noArchive
    }

    let cause: Cause
    /// The packings so far, the outermost first; the last one could not be undone.
    var layers: [UnpackedFile.Layer] = []

    /// Whether the command line asks for what is not there.
    var isUsage: Bool {
        switch cause {
        case .noSuchEntry, .noArchive: true
        case .storage, .refused, .choice: false
        }
    }

    /// The databases to choose from.
    var choice: [ArchiveEntry] {
        switch cause {
        case .choice(let entries), .noSuchEntry(_, let entries): entries
        case .storage, .refused, .noArchive: []
        }
    }

    /// The maximum number of files to name in a message.
    private static let mostNamed = 5

    /// The advice: how to choose, or what unpacks the file.
    func advice(_ verb: String, _ arguments: FileArguments?, _ options: [String] = []) -> Advice? {
        switch cause {
        case .refused(let refusal):
            guard let words = refusal.advice else { return nil }
            return Advice(words, refusal.command.map { [$0] } ?? [])
        case .choice(let entries):
            guard let arguments else { return Advice("choose one with --entry", []) }
            let commands = entries.prefix(Self.mostNamed).map {
                arguments.with(entry: $0.name).command(verb, options)
            }
            return Advice("choose one of them", commands)
        case .storage, .noSuchEntry, .noArchive: return nil
        }
    }

    /// The problem in words.
    var words: String {
        let outer = layers.dropLast().map { "\($0.words); that is " }.joined()
        let kind = outer + (layers.last?.packing.words ?? "a file")
        switch cause {
        case .storage(let error): return "\(error)"
        case .refused(let refusal): return kind + (refusal.problem.map { ": \($0)" } ?? "")
        case .choice(let entries): return "\(kind) with \(counted(entries.count, "Realm file"))"
        case .noSuchEntry(let name, let entries):
            let names = entries.prefix(Self.mostNamed).map { $0.name.shownPath }.joined(separator: ", ")
            let rest = entries.count > Self.mostNamed ? ", and \(entries.count - Self.mostNamed) more" : ""
            return "--entry \(name.shownPath): there is no such Realm file in the archive"
                + (entries.isEmpty ? "" : "; there are: \(names)\(rest)")
        case .noArchive: return "--entry is for ZIP and tar archives, and the file is none"
        }
    }
}

extension CommandFailure {
    /// Creates a failure from the reason why a file cannot be unpacked.
    ///
    /// - Parameter options: the options of the verb, for the command that chooses a file of an archive.
    init(
        _ failure: UnpackFailure, of input: InputOptions, _ arguments: FileArguments?, verb: String,
        _ options: [String] = []
    ) {
        if case .storage(let error) = failure.cause {
            self.init(error, file: input.name)
            return
        }
        let isChoice = if case .choice = failure.cause { true } else { false }
        self.init(
            "\(input.name): \(failure.words)", status: failure.isUsage || isChoice ? .usage : .unreadable,
            file: input.name)
        self = advising(failure.advice(verb, arguments, options))
    }
}
