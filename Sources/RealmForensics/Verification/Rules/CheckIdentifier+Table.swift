extension CheckIdentifier {
    /// The usual severity of a violation; individual findings may be milder.
    public var severity: FindingSeverity {
        switch self {
        case .sizeMinimum, .sizeAlignment, .mnemonic, .topAlignment, .topRange, .formatKnown, .streamShape,
            .pageAuthentication, .unwrittenPage, .decryptedHeader, .nodeSize, .refAlignment, .refRange, .cycle,
            .workLimit, .nodeDepth, .topCount, .topSlots:
            .fatal
        case .topZero, .logicalSize, .containerShape, .nodeWidthType, .nodeFlags, .sharedNode, .overlap,
            .freeListShape, .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap, .freeVersusLive,
            .tableCounts, .tableSlot, .tableKey, .historyType, .tableTopCount, .specCount, .specParallel,
            .columnType, .columnAttributes, .columnKey, .oppositeColumn, .distinctStrings, .indexSlots,
            .primaryKeyColumn, .tableFlags, .dictionaryKeyType, .clusterShape, .leafCount, .keyOrder, .clusterTree,
            .clusterSize, .tombstones, .treeShape, .setOrder, .dictionaryPairs, .mixedLeaf, .collectionSlot,
            .nesting, .stringTermination, .distinctIndex, .nullSentinel, .timestampRange, .blockNulls, .blobChunks,
            .leafType, .linkTarget, .backlinks, .embeddedOwner, .mixedLink, .primaryKeyUnique, .indexContent,
            .indexShape, .historyCount, .historyShape:
            .error
        case .streamTail, .interruptedPage, .nodeLength, .leak, .freeVersionRange, .versionNumber, .tableName,
            .evacuation, .columnName, .keySpacing, .treeLeafSize, .utf8, .boolValue, .decimalForm, .unexpectedNull,
            .historyContent, .primaryKeyHash, .primaryKeyTable, .entryHash, .metadataObject:
            .warning
        case .formatPair, .reservedFlags, .otherSlot, .nodeMagic, .physicalSize, .writeCounters, .spareEntries,
            .freeCoalesced, .otherVersusFree, .noFreeList, .sequenceNumber, .floatNull, .indexListOrder, .syncHistory,
            .openElsewhere, .staleLock, .upgradeBackup, .compactionRemains:
            .info
        }
    }

    /// The lowest level that checks the rule.
    public var level: VerificationLevel {
        switch self {
        case .sizeMinimum, .sizeAlignment, .mnemonic, .topZero, .topAlignment, .topRange, .formatKnown, .formatPair,
            .reservedFlags, .streamShape, .streamTail, .physicalSize, .logicalSize, .containerShape, .spareEntries,
            .decryptedHeader, .freeListShape, .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap,
            .freeVersionRange, .freeCoalesced, .noFreeList, .topCount, .topSlots, .versionNumber, .tableCounts,
            .tableSlot, .tableName, .tableKey, .evacuation, .historyType, .tableTopCount, .specCount, .specParallel,
            .columnType, .columnAttributes, .columnKey, .columnName, .oppositeColumn, .distinctStrings, .indexSlots,
            .primaryKeyColumn, .tableFlags, .dictionaryKeyType, .openElsewhere, .staleLock, .upgradeBackup,
            .compactionRemains:
            .quick
        case .otherSlot, .pageAuthentication, .interruptedPage, .unwrittenPage, .writeCounters, .nodeMagic,
            .nodeWidthType, .nodeFlags, .nodeSize, .refAlignment, .refRange, .cycle, .sharedNode, .overlap,
            .nodeLength, .workLimit, .nodeDepth, .freeVersusLive, .leak, .otherVersusFree, .sequenceNumber,
            .clusterShape, .leafCount, .keyOrder, .clusterTree, .clusterSize, .tombstones, .keySpacing, .treeShape,
            .treeLeafSize, .setOrder, .dictionaryPairs, .mixedLeaf, .collectionSlot, .nesting, .stringTermination,
            .utf8, .distinctIndex, .nullSentinel, .boolValue, .timestampRange, .decimalForm, .floatNull,
            .blockNulls, .blobChunks, .leafType, .unexpectedNull, .linkTarget, .backlinks, .embeddedOwner,
            .mixedLink, .primaryKeyUnique, .primaryKeyHash, .primaryKeyTable, .entryHash, .historyCount,
            .metadataObject:
            .standard
        case .indexContent, .indexShape, .indexListOrder, .historyShape, .historyContent, .syncHistory:
            .deep
        }
    }
}
