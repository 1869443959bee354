package import RealmLayout

/// The software that writes a file format, and the software that opens it.
package struct FormatOrigin: Equatable, Sendable {
    /// The SDKs other than that for Swift and Objective-C, by their usual names.
    package enum SDK: String, CaseIterable, Sendable {
        case java = "Java"
        case javaScript = "JavaScript"
        case dotNet = ".NET"
        case kotlin = "Kotlin"
        case dart = "Dart"
    }

    /// The releases of one SDK that wrote a format.
    package struct Releases: Equatable, Sendable {
        /// The SDK.
        package let sdk: SDK
        /// The range of releases, such as "5.0 to 5.3".
        package let releases: String
    }

    /// The releases of Realm Core that wrote the format.
    package let core: String
    /// The releases of Realm Swift and Objective-C that wrote the format; nil when no release did.
    package let swift: String?
    /// The known releases of other SDKs that wrote the format.
    package let others: [Releases]
    /// The additions of this format.
    package let news: String

    /// The SDKs that open such a file without an upgrade.
    package let openedBy: String
    /// The SDKs that cannot open the file, not even to upgrade it; nil when current SDKs can.
    package let refusedBy: String?
    /// The SDKs, in order, that upgrade the file step by step to a format that current SDKs open. Each one upgrades
    /// the file when it opens it for writing. Empty when no upgrade is needed.
    package let upgradeSteps: [String]
}

extension FormatVersion {
    /// The origin of files of this format; nil for numbers that were never released (Spec 90).
    package var origin: FormatOrigin? {
        let entry: (core: String, swift: String?, news: String)? =
            switch number {
            case 2: ("0.1.2 to 0.92", "up to 0.93", "the first format of released apps")
            case 3: ("0.93 to 0.99", "0.96 to 0.100", "null")
            case 4: ("0.97 to 0.99", nil, "history in the file")
            case 5: ("0.100 to 1.5", "0.101 to 1.1", "timestamps with nanoseconds")
            case 6: ("2.0 to 2.4", "2.0 to 2.4", "history in the file as a rule, new search index")
            case 7: ("2.5 to 2.9", "2.5 to 2.10", "version of the history")
            case 8: ("3.0 to 3.2", nil, "indexes in subtables")
            case 9: ("4.0 to 5.23", "3.0 to 4.4", "new instructions in the history")
            case 10: ("6.0.0 to 6.0.23", "5.0 to 5.3", "object keys, clusters")
            case 11: ("6.0.24 to 6.2", "5.4 to 5.5", "indexes on String primary keys of synchronised files")
            case 20: ("10.0 to 10.8", "10.0 to 10.7", "Decimal128, ObjectId, embedded objects")
            case 21: ("11.0.0-beta.0 to beta.5", nil, "UUID, Mixed, sets, dictionaries")
            case 22: ("11.0.0-beta.6 to 12.13", "10.8 to 10.34", "indexes on all primary keys, asymmetric objects")
            case 23: ("13", "10.35 to 10.48", "new layout of dictionaries, full-text index")
            case 24: ("14 and 20", "10.49 and later", "collections in Mixed, narrow decimals")
            default: nil
            }
        return entry.map { entry in
            FormatOrigin(
                core: entry.core, swift: entry.swift, others: otherReleases, news: entry.news, openedBy: openedBy,
                refusedBy: refusedBy, upgradeSteps: upgradeSteps)
        }
    }

    /// The releases of SDKs other than that for Swift, derived from the Core that each was built with (Spec 90 and
    /// 120).
    private var otherReleases: [FormatOrigin.Releases] {
        let entries: KeyValuePairs<FormatOrigin.SDK, String> =
            switch number {
            case 2: [.java: "up to 0.82.2"]
            case 3:
                [.java: "0.83.0 to 0.89.1", .javaScript: "0.10.0 to 0.12.0", .dotNet: "betas before 0.75.0"]
            case 5: [.java: "0.90.0 to 1.2.0", .javaScript: "0.13.0 to 0.14.3", .dotNet: "0.75.0 to 0.78.1"]
            case 6: [.java: "2.0.0 to 3.0.0", .javaScript: "0.15.0 to 1.2.0", .dotNet: "0.80.0 to 1.1.1"]
            case 7: [.java: "3.1.0 to 3.7.2", .javaScript: "1.3.0 to 1.13.0", .dotNet: "1.2.0 to 1.6.0"]
            case 9: [.java: "4.0.0 to 6.1.0", .javaScript: "2.0.0 to 5.0.5", .dotNet: "2.0.0 to 4.3.0"]
            case 10: [.java: "7.0.0 to 7.0.3", .javaScript: "6.0.0 to 6.1.0"]
            case 11: [.java: "7.0.4 to 7.0.8", .javaScript: "6.1.1 to 6.1.8", .dotNet: "5.0.1 to 5.1.3"]
            case 20: [.java: "10.0.0 to 10.5.1", .javaScript: "10.0.0 to 10.4.2", .dotNet: "10.0.1 to 10.1.4"]
            case 22:
                [
                    .java: "10.6.0 to 10.13", .javaScript: "10.5.0 to 10.24, 11.0 to 11.2",
                    .dotNet: "10.2.0 to 10.19", .kotlin: "up to 1.5", .dart: "up to 0.8",
                ]
            case 23:
                [
                    .java: "10.14.0 to 11.0", .javaScript: "11.3.0 to 11.10, 12.0 to 12.6",
                    .dotNet: "10.20.0 to 11.7", .kotlin: "1.6 to 1.14", .dart: "0.9 to 2",
                ]
            case 24:
                [
                    .javaScript: "12.7.0 and later", .dotNet: "12.0.0 and later", .kotlin: "1.15, 2.0 and later",
                    .dart: "3.0 and later",
                ]
            default: [:]
            }
        return entries.map { FormatOrigin.Releases(sdk: $0.key, releases: $0.value) }
    }

    private var openedBy: String {
        switch number {
        case 2...4: "Realm Core up to 5 (Realm Swift up to 4), which upgrades it"
        case 5...9: "Realm Core up to 13 (Realm Swift up to 10.48), which upgrades it"
        case 24: "Realm Core 14 and later (Realm Swift 10.49 and later)"
        default: "Realm Core of its own time; Realm Core 14 and later (Realm Swift 10.49 and later) upgrades it"
        }
    }

    private var refusedBy: String? {
        switch number {
        case 2...4: "Realm Core 6 and later (Realm Swift 5.0 and later)"
        case 5...9: "Realm Core 14 and later (Realm Swift 10.49 and later)"
        default: nil
        }
    }

    /// Core 5 writes format 9. Cores 11 to 13 upgrade formats 5 to 9, and later ones open their result (Spec 120).
    private var upgradeSteps: [String] {
        let (toNine, toToday) = (
            "Realm Swift 3.0 to 4.4 (Realm Core 4 and 5)", "Realm Swift 10.8 to 10.48 (Realm Core 11 to 13)"
        )
        return switch number {
        case 2...4: [toNine, toToday]
        case 5...9: [toToday]
        default: []
        }
    }
}
