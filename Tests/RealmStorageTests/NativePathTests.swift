import Expectations
import Foundation
import RealmStorage
import TestSupport
import Testing

/// File names that are not UTF-8, as on systems other than Apple's.
@Suite struct NativePathTests {
    @Test func `a path of UTF-8 is the text itself`() {
        for text in ["", "a.realm", "gr\u{fc}n", "e\u{301}", "\u{10F7FF}"] {
            expect(NativePath.text(Array(text.utf8)).utf8.elementsEqual(text.utf8))
        }
    }

    @Test func `other bytes are distinguished, and shown as in shells`() {
        let first = NativePath.text(Array("b".utf8) + [0xFF] + Array(".realm".utf8))
        let second = NativePath.text(Array("b".utf8) + [0xFE] + Array(".realm".utf8))
        expect(first != second)
        expectEqual(NativePath.shown(first), "b\\xff.realm")
        expectEqual(NativePath.shown(NativePath.text([0xC3, 0xC3, 0xA9, 0xE2, 0x82])), "\\xc3\u{e9}\\xe2\\x82")
        expect(NativePath.hasOtherBytes(first) && !NativePath.hasOtherBytes("b.realm"))
    }

    #if os(Linux)
        @Test func `a file whose name is not UTF-8 is written, found and read`() throws {
            let folder = URL.temporaryDirectory.appending(path: "native-\(UUID().uuidString)").path
            try OutputFile.makeFolder(folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let path = NativePath.text(Array("\(folder)/b".utf8) + [0xFF] + Array(".realm".utf8))
            let output = try OutputFile(path: path, replacing: false)
            let source = ByteSource(bytes: [1, 2, 3])
            try output.write(source.view)
            withExtendedLifetime(source) {}
            try output.commit()
            try expectEqual(Folder.names(folder).map { "\(folder)/\($0)" }, [path])
            let read = try ByteSource(path: path)
            expectEqual(read.view.bytes, [1, 2, 3])
            withExtendedLifetime(read) {}
            expect(OutputFile.exists(path) && OutputFile.isSameFile(path, path) && Folder.hasRegularFile(path))
            expect(!OutputFile.exists("\(folder)/b\u{FFFD}.realm"))
            for name in try Folder.names(folder) { Folder.remove([name], in: folder) }
            expect(!OutputFile.exists(path))
        }
    #endif
}
