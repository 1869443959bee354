import RealmLayout
import TestSupport

// H: the file and its header.
extension DamageCase {
    static let header: [DamageCase] = [
        DamageCase(.sizeMinimum, "cut off inside the header") { $0.bytes.removeSubrange(23...) },
        DamageCase(.sizeAlignment, "three bytes more") { $0.bytes += [1, 2, 3] },
        DamageCase(.mnemonic, "X in the place of T") { $0.bytes[16] = UInt8(ascii: "X") },
        DamageCase(.topZero, "selected slot emptied") { $0.setNumber(0, at: $0.slot * 8, 8) },
        DamageCase(.topZero, "flags of a file of one commit flipped", "links-stream") { $0.bytes[23] ^= 1 },
        DamageCase(.topAlignment, "top ref one more") { $0.setNumber($0.top + 1, at: $0.slot * 8, 8) },
        DamageCase(.topAlignment, "top ref inside the header") { $0.setNumber(8, at: $0.slot * 8, 8) },
        DamageCase(.topRange, "top ref behind the end") { $0.setNumber(0x10000, at: $0.slot * 8, 8) },
        DamageCase(.topRange, "cut in half") { $0.bytes.removeSubrange(4096...) },
        DamageCase(.topRange, "a page less") { $0.bytes.removeSubrange(4224...) },
        DamageCase(.formatKnown, "format 25") { $0.bytes[20 + $0.slot] = 25 },
        DamageCase(.formatKnown, "format 0 with a root") { $0.bytes[20 + $0.slot] = 0 },
        DamageCase(.formatKnown, "format 1") { $0.bytes[20 + $0.slot] = 1 },
        DamageCase(.formatKnown, "format 15") { $0.bytes[20 + $0.slot] = 15 },
        DamageCase(.formatPair, "other slot of a later format") { $0.bytes[21 - $0.slot] = 30 },
        DamageCase(.reservedFlags, "second flag") { $0.bytes[23] |= 2 },
        DamageCase(.reservedFlags, "reserved byte") { $0.bytes[22] = 0xFF },
        DamageCase(.streamShape, "eight bytes cut off", from: streaming) { $0.bytes.removeLast(8) },
        DamageCase(.streamShape, "cookie changed", from: streaming) { $0.bytes[$0.bytes.count - 1] ^= 1 },
        DamageCase(.streamShape, "top ref in the footer", from: streaming) {
            $0.setNumber($0.bytes.count - 8, at: $0.bytes.count - 16, 8)
        },
        DamageCase(.streamShape, "32 bytes left", from: streaming) { $0.bytes.removeSubrange(32...) },
        DamageCase(.streamShape, "a second top ref", from: streaming) { $0.setNumber(24, at: 8, 8) },
        DamageCase(.streamTail, "zeros before the footer", from: streaming) {
            $0.bytes.insert(contentsOf: [UInt8](repeating: 0, count: 8), at: $0.bytes.count - 16)
        },
        DamageCase(.streamTail, "bytes before the footer", from: streaming) {
            $0.bytes.insert(contentsOf: [0, 0, 1, 0, 0, 0, 0, 0], at: $0.bytes.count - 16)
        },
        DamageCase(.otherSlot, "root of the other commit overwritten") { $0.setCount($0.otherTop, 4) },
        DamageCase(.otherSlot, "node of the other commit only overwritten") { patient in
            // Space that the current commit freed belonged to the other one.
            let offset = patient.element(try patient.ref([3]), 0)
            for index in 0..<8 { patient.bytes[offset + index] = 0xFF }
        },
        DamageCase(.physicalSize, "a megabyte of zeros") { $0.bytes += [UInt8](repeating: 0, count: 1 << 20) },
        DamageCase(.physicalSize, "eight zeros") { $0.bytes += [UInt8](repeating: 0, count: 8) },
        DamageCase(.logicalSize, "not a multiple of 8", with: [.freeEntryRange, .leak]) {
            try $0.set($0.top, 2, 8188 << 1 | 1)
        },
        DamageCase(.logicalSize, "not a multiple of 8, where nothing is free", with: [.leak]) { patient in
            try patient.set(patient.top, 2, 8187 << 1 | 1)
            for list in 3...5 { try patient.set(patient.top, list, 0) }
        },
        DamageCase(.logicalSize, "before the root") { try $0.set($0.top, 2, 64 << 1 | 1) },
    ]

    /// A file in streaming form, unchanged.
    private static let streaming: @Sendable () throws -> Patient = {
        var patient = try Patient("kennel")
        patient.bytes = try KnownFile.fixture("links-stream").bytes()
        return patient
    }
}
