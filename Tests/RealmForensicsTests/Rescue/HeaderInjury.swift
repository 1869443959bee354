import TestSupport

/// Damage to the start or the end of a file that contains all its data.
enum HeaderInjury: CaseIterable, Sendable {
    case zeroed
    case foreignBytes
    /// A TLS record of 75 bytes at the start: a key exchange, as in reports about apps that confused file descriptors.
    case tlsHandshake
    /// A TLS record of 7 bytes at offset 5: an alert, which preserves the low bytes of slot 0, the mnemonic and the
    /// flags.
    case tlsAlert
    /// The selected slot points far beyond the end of the file.
    case slotBeyondEnd
    /// The selected slot points into the middle of a node.
    case slotInsideNode

    static let handshake: [UInt8] =
        [0x16, 0x03, 0x03, 0x00, 0x46, 0x10, 0x00, 0x00, 0x42, 0x41, 0x04]
        + (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 29) }
    static let alert: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46]

    /// The number of bytes at the start that may be overwritten.
    var reach: Int { self == .tlsHandshake ? Self.handshake.count : 24 }

    func apply(to bytes: inout [UInt8]) {
        switch self {
        case .zeroed: write([UInt8](repeating: 0, count: 24), at: 0, &bytes)
        case .foreignBytes: write(Array("somebody else's bytes...".utf8), at: 0, &bytes)
        case .tlsHandshake: write(Self.handshake, at: 0, &bytes)
        case .tlsAlert: write(Self.alert, at: 5, &bytes)
        case .slotBeyondEnd: writeSelectedSlot(UInt64(bytes.count) * 3 & ~7, &bytes)
        case .slotInsideNode:
            let slot = Int(bytes[23] & 1)
            let ref = (0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[8 * slot + $1]) }
            // In a file in streaming form, only its mark can be changed.
            writeSelectedSlot(ref == .max ? 32 : ref + 8, &bytes)
        }
    }

    private func writeSelectedSlot(_ number: UInt64, _ bytes: inout [UInt8]) {
        write((0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }, at: 8 * Int(bytes[23] & 1), &bytes)
    }

    private func write(_ content: [UInt8], at offset: Int, _ bytes: inout [UInt8]) {
        for (index, byte) in content.enumerated() where offset + index < bytes.count { bytes[offset + index] = byte }
    }
}
