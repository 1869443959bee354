#if os(Linux)
    import Expectations
    import Foundation
    import RealmLayout
    import RealmStorage
    import RealmCore
    import TestSupport
    import Testing

    /// The location of the unnamed files that a new database needs while it is written.
    @Suite struct ScratchFolderTests {
        /// Returns the open unnamed files in a folder.
        private static func unnamedFiles(in folder: TemporaryFolder) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
                .filter { $0.hasPrefix(folder.path + "/") && $0.hasSuffix(" (deleted)") }
        }

        /// Adds enough links to exceed the memory limit: one takes two numbers of 32 bits.
        private static func addLinks(to writer: ObjectWriter) {
            let least = UnsharedArrayLimit.bytesInMemory / (2 * MemoryLayout<UInt32>.stride)
            for origin in 0...Int64(least) {
                writer.file.ledgers.add(target: ObjectKey(0), origin: ObjectKey(origin), to: 0)
            }
        }

        /// Two databases that are written at the same time use their own disks, whichever was begun last.
        @Test func `two databases that are written at once use their own disks`() throws {
            let schema = SchemaDefinition([
                TableDefinition(class: "Dog", [PropertyDefinition("friend", .link, target: "class_Dog")])
            ])
            let folders = [try TemporaryFolder(), try TemporaryFolder()]
            let writers = try folders.map { try ObjectWriter(schema, to: NewFile($0.file("new.realm")).begin()) }
            // Only the files of the databases themselves, which have names.
            for folder in folders { try expectEqual(Self.unnamedFiles(in: folder), []) }
            Self.addLinks(to: writers[0])
            try expectEqual(Self.unnamedFiles(in: folders[0]).count, 1)
            try expectEqual(Self.unnamedFiles(in: folders[1]), [])
            Self.addLinks(to: writers[1])
            try expectEqual(Self.unnamedFiles(in: folders[0]).count, 1)
            try expectEqual(Self.unnamedFiles(in: folders[1]).count, 1)
            withExtendedLifetime(writers) {}
        }
    }
#endif
