/// A rule that the verifier checks (Spec 150), with a stable identifier for scripts, tests and people.
///
/// ```swift
/// print(try await database.verify().totalsByCheck[.leak] ?? 0)
/// ```
///
/// The letter stands for the subject of the rule: H header, E encryption, N nodes, A space, T group, S tables, C
/// clusters, K trees and collections, L values, R links, P primary keys, I search indexes, Y history, Q files beside
/// the database.
public enum CheckIdentifier: String, CaseIterable, Hashable, Sendable {
    /// The file has at least 24 bytes.
    case sizeMinimum = "H01"
    /// The size of the file is a multiple of 8.
    case sizeAlignment = "H02"
    /// Bytes 16 to 19 are T-DB.
    case mnemonic = "H03"
    /// The selected slot is empty only when the other one is too.
    case topZero = "H04"
    /// The selected top ref is a multiple of 8, not inside the header, and not far beyond the file.
    case topAlignment = "H05"
    /// The root node and everything up to the logical size lie inside the file.
    case topRange = "H06"
    /// The format of the selected slot was released; 0 only for an empty file.
    case formatKnown = "H07"
    /// The format of the other slot is 0, the same, or one that can be upgraded to it.
    case formatPair = "H08"
    /// Byte 22 and the upper seven bits of byte 23 are 0.
    case reservedFlags = "H09"
    /// A file in streaming form ends with a footer that leads to a root before it.
    case streamShape = "H10"
    /// Only zeros lie between the logical end and the footer of the streaming form.
    case streamTail = "H11"
    /// The other slot is empty or leads to a complete commit, the one before or the one after.
    case otherSlot = "H12"
    /// The file is not much longer than its database, and a multiple of 4096 bytes.
    case physicalSize = "H13"
    /// The logical size is a multiple of 8 and beyond the root.
    case logicalSize = "H14"
    /// An encrypted file is a multiple of 4096 bytes, and 8192 or more.
    case containerShape = "E01"
    /// The authentication code of every written page matches.
    case pageAuthentication = "E02"
    /// No page dates from the write before the last.
    case interruptedPage = "E03"
    /// No node lies in a page that was never written.
    case unwrittenPage = "E04"
    /// The two counters of a page are consecutive.
    case writeCounters = "E05"
    /// Entries for pages that do not exist are zero.
    case spareEntries = "E06"
    /// The decrypted file begins like a Realm file.
    case decryptedHeader = "E07"
    /// Nodes begin with AAAA (formats 9 and up).
    case nodeMagic = "N01"
    /// The width type of a node is 0, 1 or 2.
    case nodeWidthType = "N02"
    /// Inner nodes have refs; nodes with refs have a width in bits.
    case nodeFlags = "N03"
    /// Nodes end inside the database.
    case nodeSize = "N04"
    /// References are multiples of 8.
    case refAlignment = "N05"
    /// References lie between the header and the logical end.
    case refRange = "N06"
    /// No node is its own ancestor.
    case cycle = "N07"
    /// No node is referred to twice.
    case sharedNode = "N08"
    /// Nodes do not overlap.
    case overlap = "N09"
    /// Nodes are shorter than 64 MiB.
    case nodeLength = "N10"
    /// Leaves do not claim more elements than the file has room for.
    case workLimit = "N13"
    /// Nodes are nested less than 4096 levels deep.
    case nodeDepth = "N14"
    /// The three arrays of the free list are plain, of equal length, and either all present or all missing.
    case freeListShape = "A01"
    /// Positions and lengths in the free list are multiples of 8, and lengths are above 0.
    case freeEntryAlignment = "A02"
    /// Free chunks lie inside the database.
    case freeEntryRange = "A03"
    /// Free chunks ascend by position.
    case freeListOrder = "A04"
    /// Free chunks do not overlap each other.
    case freeOverlap = "A05"
    /// No free chunk overlaps a node in use.
    case freeVersusLive = "A06"
    /// Every byte of the database is used or free.
    case leak = "A07"
    /// No free chunk was freed by a commit later than the current one.
    case freeVersionRange = "A08"
    /// Touching free chunks of the same commit are one chunk.
    case freeCoalesced = "A09"
    /// Bytes used only by the other commit have been free since the current one.
    case otherVersusFree = "A10"
    /// The database has a free list.
    case noFreeList = "A11"
    /// The root has 3, 5, 7, 9, 10, 11 or 12 elements.
    case topCount = "T01"
    /// The elements of the root are references and numbers in the right places.
    case topSlots = "T02"
    /// The commit number is at least 1, and one more or one less than that of the other slot.
    case versionNumber = "T03"
    /// There are as many table names as tables.
    case tableCounts = "T04"
    /// Table slots contain a table, or the tag of a deleted table and no name.
    case tableSlot = "T05"
    /// Table names are unique, at most 63 bytes of UTF-8, and of a known kind.
    case tableName = "T06"
    /// The key of a table contains its slot.
    case tableKey = "T07"
    /// The state of online compaction lies inside the database.
    case evacuation = "T08"
    /// Type and layout of the history are known; without a history there is no type.
    case historyType = "T09"
    /// The table metadata has at most one object.
    case metadataObject = "T10"
    /// The top of a table has the number of elements that its format requires.
    case tableTopCount = "S01"
    /// The spec of a table has 6 elements.
    case specCount = "S02"
    /// The spec's arrays describe the same number of columns; backlink columns come last.
    case specParallel = "S03"
    /// Columns have a type that exists in the format.
    case columnType = "S04"
    /// The attributes of a column fit each other.
    case columnAttributes = "S05"
    /// Column keys are unique and agree with the spec's types and attributes.
    case columnKey = "S06"
    /// Column names are unique, not empty, at most 63 bytes of UTF-8.
    case columnName = "S07"
    /// Link columns and backlink columns name each other.
    case oppositeColumn = "S08"
    /// Only string columns have a list of distinct strings, which contains none twice.
    case distinctStrings = "S09"
    /// A column has a search index exactly if it is marked as indexed, or is the primary key.
    case indexSlots = "S10"
    /// The primary key is a column of a permitted type.
    case primaryKeyColumn = "S11"
    /// The kind of a table is known, and nothing links to asymmetric tables.
    case tableFlags = "S12"
    /// The next object key is above all assigned keys.
    case sequenceNumber = "S13"
    /// Dictionary columns specify the type of their keys.
    case dictionaryKeyType = "S14"
    /// A cluster has its keys and a leaf for each column.
    case clusterShape = "C01"
    /// Every leaf of a cluster has one element for each object.
    case leafCount = "C02"
    /// Object keys ascend and stay within their part of the tree.
    case keyOrder = "C03"
    /// Inner nodes of a cluster tree have the correct offsets, depth and number of objects.
    case clusterTree = "C04"
    /// A cluster has at most 256 objects.
    case clusterSize = "C05"
    /// Tombstones and links to them have keys of unresolved objects.
    case tombstones = "C06"
    /// Clusters are filled as by release builds of Realm Core.
    case keySpacing = "C07"
    /// Inner nodes of B+trees have correct offsets and totals, and equal depth.
    case treeShape = "K01"
    /// Leaves of B+trees have at most 1000 elements.
    case treeLeafSize = "K02"
    /// The elements of a set ascend without duplicates.
    case setOrder = "K03"
    /// A dictionary has as many values as keys; keys ascend without duplicates.
    case dictionaryPairs = "K04"
    /// Mixed values have a known type and an existing payload.
    case mixedLeaf = "K05"
    /// A collection is missing (empty) or has its root.
    case collectionSlot = "K06"
    /// Collections are nested at most 100 levels deep.
    case nesting = "K07"
    /// Entries of dictionaries of formats 21 and 22 are stored under the hash of their key.
    case entryHash = "K08"
    /// Strings have the length and the terminating zero that the leaf requires.
    case stringTermination = "L01"
    /// Strings are valid UTF-8.
    case utf8 = "L02"
    /// Numbers of distinct strings refer to existing strings.
    case distinctIndex = "L03"
    /// A leaf of nullable integers begins with the largest number of its width, which represents null.
    case nullSentinel = "L04"
    /// Booleans are 0 or 1, or 3 for null.
    case boolValue = "L05"
    /// Nanoseconds are below 10^9, have the sign of the seconds, and are as many as the seconds.
    case timestampRange = "L06"
    /// Decimals are canonical.
    case decimalForm = "L07"
    /// The bit pattern of null does not occur in columns that cannot contain null.
    case floatNull = "L08"
    /// Leaves of ObjectIds and UUIDs contain only complete values.
    case blockNulls = "L09"
    /// Binaries are nodes of bytes, or lists of them.
    case blobChunks = "L10"
    /// A leaf has an encoding that is permitted for its column's type.
    case leafType = "L11"
    /// Columns that cannot contain null do not contain it.
    case unexpectedNull = "L12"
    /// Links lead to objects that exist.
    case linkTarget = "R01"
    /// Links and backlinks agree.
    case backlinks = "R02"
    /// An embedded object has at most one owner.
    case embeddedOwner = "R03"
    /// Links in Mixed refer to an existing table with a column of backlinks for them.
    case mixedLink = "R04"
    /// No two objects of a class have the same primary key.
    case primaryKeyUnique = "P01"
    /// Object keys derived from primary keys match them (formats 10 to 21).
    case primaryKeyHash = "P02"
    /// The table of primary keys lists each class once, with a property that may be a primary key (formats 2 to 9).
    case primaryKeyTable = "P03"
    /// A search index contains every object exactly once under its value, and nothing else.
    case indexContent = "I01"
    /// The nodes of a search index have the right flags, and ascending chunks and lists.
    case indexShape = "I02"
    /// Long lists of a search index are in the order of the format, without duplicate objects.
    case indexListOrder = "I03"
    /// The history has at most one changeset per commit.
    case historyCount = "Y01"
    /// The history is a list of binaries without null.
    case historyShape = "Y02"
    /// Changesets can be parsed.
    case historyContent = "Y03"
    /// A synchronisation history is not inspected.
    case syncHistory = "Y04"
    /// No process has the file open.
    case openElsewhere = "Q01"
    /// The lock file lists no processes that have ended.
    case staleLock = "Q02"
    /// There is no copy beside the file that was made before an upgrade.
    case upgradeBackup = "Q03"
    /// There are no remains of an interrupted compaction.
    case compactionRemains = "Q04"
}

/// The severity of a violated rule.
///
/// ```swift
/// print(try await database.verify().findings.filter { $0.severity >= .error }.count)
/// ```
public enum FindingSeverity: Int, CaseIterable, Comparable, Sendable {
    /// Unusual, without effect.
    case info
    /// Tolerated by Realm Core.
    case warning
    /// Data is wrong or missing, or Realm Core will crash or cause damage.
    case error
    /// Something cannot be read at all.
    case fatal

    /// Compares severities; milder ones come first.
    public static func < (left: FindingSeverity, right: FindingSeverity) -> Bool { left.rawValue < right.rawValue }

    /// The word used in reports.
    public var name: String { "\(self)" }
}

/// The extent of a verification.
///
/// ```swift
/// print(try await database.verify(.quick).isReadable)
/// ```
public enum VerificationLevel: Int, CaseIterable, Comparable, Sendable {
    /// Header, roots, schema, free list: takes milliseconds for any size.
    case quick
    /// All nodes of both commits, and all values, links and keys of the current one.
    case standard
    /// Also search indexes, history, and the values of the other commit.
    case deep

    /// Compares levels; lower ones come first.
    public static func < (left: VerificationLevel, right: VerificationLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
