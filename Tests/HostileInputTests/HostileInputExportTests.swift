import Expectations
import Foundation
import HostileProperties
import RealmLayout
import TestSupport
import Testing

/// For any bytes, an export terminates with well-formed documents or an error, and its output is at most a multiple of
/// the size of the file.
@Suite struct HostileInputExportTests {
    @Test(arguments: Share.current.of(HostileFile.all, sequence: 1))
    func `exporting a handmade file ends, and an error is reported`(_ file: HostileFile) {
        let outcome = exportEverything(file.bytes())
        expectEqual(outcome.violations, [])
        // Missing parts of a tree show only where it is read.
        expect(!outcome.errors.isEmpty)
    }

    @Test(arguments: [
        "embedded", "kennel", "tombstones", "deleted-columns", "format-22-links", "mixed-nested",
        "Legacy/format-9-subtables",
    ])
    func `an intact file is exported in every form without an error`(_ fixture: String) throws {
        let outcome = exportEverything(try KnownFile.fixture(fixture).bytes())
        expectEqual(outcome.violations, [])
        expect(outcome.errors.allSatisfy { $0.code == .noOtherSlot }, "\(outcome.errors)")
        expect(outcome.documents > 0 && !outcome.isCutOff)
    }

    @Test(arguments: Amplifier.all)
    func `shared values do not make documents grow quadratically`(_ file: Amplifier) {
        let bytes = file.bytes()
        let outcome = exportEverything(bytes, Array(ExportCombination.all.prefix(1)))
        expectEqual(outcome.violations, [])
        expect(outcome.bytes <= bytes.count * 2048)
        expect(outcome.errors.contains { $0.code == .sharedNodes }, "\(outcome.errors) \(outcome.bytes)")
    }

    /// Secondary threads on Apple platforms have 512 KiB. Stack frames are several times as large without optimisation
    /// and under a sanitizer.
    private static var stackSize: Int {
        #if DEBUG
            2 << 20
        #else
            Victim.isSanitized ? 2 << 20 : 512 << 10
        #endif
    }

    @Test(arguments: DeepFile.all)
    func `nesting does not exceed the stack of a secondary thread`(_ file: DeepFile) async {
        let bytes = file.bytes()
        let outcome = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: exportEverything(bytes)) }
            thread.stackSize = Self.stackSize
            thread.start()
        }
        expectEqual(outcome.violations, [])
        expectEqual(outcome.errors.contains { $0.code == .tooDeep }, file.isTooDeep, "\(outcome.errors)")
        expect(file.isTooDeep || outcome.documents > 0)
    }

    /// Files found by fuzzing, including those found with the reader.
    @Test(arguments: Share.current.of(HostileInputFuzzCaseTests.cases, sequence: 1))
    func `files found by fuzzing are exported without a violation`(_ file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        expectEqual(exportEverything(bytes).violations, [])
    }
}
