extension CheckIdentifier {
    /// The meaning of a finding for the user's data, in one sentence.
    public var consequence: String {
        switch self {
        case .sizeMinimum:
            "The file is no longer a database; nothing can be read from it."
        case .sizeAlignment:
            "Realm refuses to open the file; the data inside may be intact."
        case .mnemonic:
            "Realm refuses to open the file; the data after the header may be intact."
        case .topZero:
            "Realm shows an empty database and starts over at the next write; the other slot still leads "
                + "to the data."
        case .topAlignment:
            "The current commit cannot be found; the other slot may still lead to the one before."
        case .topRange:
            "The file has probably been cut off; the current commit cannot be read."
        case .formatKnown:
            "No version of Realm opens the file."
        case .formatPair:
            "None for the current data; the other slot is not what a commit leaves behind."
        case .reservedFlags:
            "None: Realm ignores them. Something else has written to the header."
        case .streamShape:
            "The file has been cut off or something was added to it; its root cannot be found."
        case .streamTail:
            "None for the data; something has changed the end of the file."
        case .otherSlot:
            "The current data is not concerned; going back one commit is not possible."
        case .physicalSize:
            "None: what follows the logical end is ignored."
        case .logicalSize:
            "Realm ends with a failed assertion at the first write."
        case .containerShape:
            "The file has probably been cut off; the last page cannot be read."
        case .pageAuthentication:
            "What is in the page cannot be trusted and is not read; free space does not matter."
        case .interruptedPage:
            "A write was interrupted; pages of different commits may be mixed."
        case .unwrittenPage:
            "What was in the page is lost."
        case .writeCounters:
            "None for the data; the table of the page was changed by something else."
        case .spareEntries:
            "None for the data; something has written to the table."
        case .decryptedHeader:
            "The second half of the key is right, the first is not: nothing can be read with it."
        case .nodeMagic:
            "None: Realm has never read these bytes."
        case .nodeWidthType:
            "The node cannot be read."
        case .nodeFlags:
            "The node is misread: numbers are taken for references or the other way round."
        case .nodeSize:
            "Realm crashes when it reads this node; its content is lost in this commit."
        case .refAlignment:
            "Realm crashes or shows wrong values here; what the reference leads to is lost in this commit."
        case .refRange:
            "Realm crashes here; what the reference leads to is lost in this commit."
        case .cycle:
            "Realm shows wrong values or never returns from reading this."
        case .sharedNode:
            "One of the two owners shows the other's data, and the next change destroys it."
        case .overlap:
            "One of the two nodes has been overwritten by the other."
        case .nodeLength:
            "Realm ends with a failed assertion when it changes this node."
        case .workLimit:
            "The check stopped here; what follows is not known."
        case .nodeDepth, .nesting:
            "What is deeper cannot be read."
        case .freeListShape, .freeEntryAlignment:
            "Realm ends with a failed assertion at the next write; reading is not affected."
        case .freeEntryRange, .freeListOrder, .freeOverlap:
            "The next writes may destroy data; reading is not affected."
        case .freeVersusLive:
            "Nothing is lost yet, but the next write will overwrite data that is in use."
        case .leak:
            "What was there can no longer be reached: space that is wasted, or values that are missing now."
        case .freeVersionRange:
            "None for the data: the space is never reused."
        case .freeCoalesced:
            "None."
        case .otherVersusFree:
            "The next write may overwrite the other commit; the current data is not concerned."
        case .noFreeList:
            "None: the file was never written to in place."
        case .topCount:
            "The current commit cannot be read."
        case .topSlots:
            "The current commit cannot be read, or parts of it."
        case .versionNumber:
            "None for the data; the two slots do not belong together."
        case .tableCounts:
            "Tables may have the wrong name, and some cannot be reached."
        case .tableSlot, .specCount:
            "The table cannot be read."
        case .tableName:
            "The class may not be found under its name."
        case .tableKey:
            "Realm does not find the table, and links to it lead nowhere."
        case .evacuation:
            "None for the data; compaction may misbehave."
        case .historyType:
            "Realm refuses to open the file; the data is readable."
        case .metadataObject:
            "None for the data; SDKs take the schema version of the first."
        case .tableTopCount:
            "The table cannot be read, or parts of it."
        case .specParallel:
            "Columns have the wrong name or type, or cannot be read."
        case .columnType:
            "The property cannot be read."
        case .columnAttributes, .columnKey:
            "The property may be read wrongly."
        case .columnName:
            "The property may not be found under its name."
        case .oppositeColumn:
            "Realm crashes or leaves dangling links when linked objects are deleted."
        case .distinctStrings:
            "Values of the property may be wrong, or queries miss objects."
        case .indexSlots:
            "Queries and look-ups by primary key fail or crash."
        case .primaryKeyColumn:
            "Realm does not open the class."
        case .tableFlags:
            "Realm may treat the objects wrongly."
        case .sequenceNumber:
            "None: Realm Core takes the next key that is free."
        case .dictionaryKeyType:
            "The dictionaries cannot be read."
        case .clusterShape:
            "The objects of the cluster, or one of their properties, cannot be read."
        case .leafCount:
            "Values are missing or belong to other objects; Realm crashes when it writes there."
        case .keyOrder:
            "Objects are not found by their key; links to them fail."
        case .clusterTree:
            "Objects are not found, or the number of objects is wrong."
        case .clusterSize:
            "The objects of the cluster cannot be read; Realm never writes this."
        case .tombstones:
            "None for the data that apps see; synchronisation may fail."
        case .keySpacing:
            "The file was made by a test build: released versions read object keys with gaps, and links would "
                + "lead nowhere."
        case .treeShape:
            "Elements of the collection are missing or in the wrong place."
        case .treeLeafSize:
            "None: Realm reads larger leaves."
        case .setOrder:
            "Realm does not find elements of the set, or adds them twice."
        case .dictionaryPairs:
            "Realm does not find entries of the dictionary, or shows the wrong value."
        case .entryHash:
            "Versions of Realm that find entries by the hash do not find this one, and may add it again."
        case .mixedLeaf, .distinctIndex, .blobChunks:
            "The value cannot be read."
        case .collectionSlot:
            "The collection cannot be read."
        case .stringTermination:
            "The text may be cut off, too long, or unreadable."
        case .utf8:
            "Realm does not care, but apps may show wrong text or fail."
        case .nullSentinel:
            "Values may be taken for null or the other way round."
        case .boolValue:
            "The value is read as true."
        case .timestampRange:
            "The date is wrong or cannot be read."
        case .decimalForm:
            "The number may be read differently by other programs."
        case .floatNull:
            "The value is a NaN that looks like null."
        case .blockNulls:
            "Values are missing or shifted."
        case .leafType:
            "The property of these objects cannot be read."
        case .unexpectedNull:
            "Realm shows a default value, or the app fails."
        case .linkTarget, .mixedLink:
            "Realm crashes when the app follows the link."
        case .backlinks:
            "Realm crashes or leaves dangling links when one of the objects is deleted."
        case .embeddedOwner:
            "Two owners show the same object: changing or deleting one changes the other. Without an owner it is shown nowhere."
        case .primaryKeyUnique:
            "Look-ups find one of them only; migrations and synchronisation fail."
        case .primaryKeyHash:
            "Versions of Realm that find objects by this key do not find the object, and may add it again."
        case .primaryKeyTable:
            "The class may have another primary key, or none."
        case .indexContent:
            "Queries and look-ups give wrong results; the objects themselves are intact."
        case .indexShape:
            "Queries and look-ups may give wrong results or crash; the objects themselves are intact."
        case .indexListOrder:
            "None that is known: Realm searches them tolerantly."
        case .historyCount, .historyShape, .historyContent:
            "Notifications in other processes may fail; the data is not concerned."
        case .syncHistory:
            "None: its content was not checked."
        case .openElsewhere:
            "None: the file may have changed since, and is not to be replaced now."
        case .staleLock:
            "None: the next process that opens the file starts over."
        case .upgradeBackup:
            "None: but some versions of Realm put the copy in the place of a file that they do not accept."
        case .compactionRemains:
            "None: the file beside it can be removed."
        }
    }
}
