package import RealmLayout
package import RealmStorage
import Synchronization

/// A disk that records all operations, in order to compute its possible states after a power failure.
package final class LyingDisk: DatabaseDevice {
    package enum Event: Sendable {
        case write(offset: Int, bytes: [UInt8])
        case grow(Int)
        case synchronize
    }

    package let path = "disk"
    private let device: any DatabaseDevice
    private let log = Mutex<[Event]>([])
    /// The first call from now on that fails, together with all later ones; nil for none.
    private let failing = Mutex<Int?>(nil)
    /// The number of reading calls, and the first of them that fails, together with all later ones.
    private let reads = Mutex<(count: Int, failing: Int?)>((0, nil))

    /// Creates a disk that records the operations on another device.
    package init(_ device: any DatabaseDevice) { self.device = device }

    package convenience init(_ bytes: [UInt8]) throws(StorageError) { self.init(try MemoryDevice(bytes)) }

    package var events: [Event] { log.withLock { $0 } }
    package var bytes: [UInt8] { get throws(StorageError) { try device.map(device.size()).bytes } }

    package func forgetEvents() { log.withLock { $0 = [] } }

    /// Makes calls that change something fail, from the call with this number on.
    package func fail(from call: Int?) { failing.withLock { $0 = call } }

    /// The number of reading calls so far.
    package var readCount: Int { reads.withLock { $0.count } }

    /// Makes reading calls fail, from the call with this number on, counted from now; nil for none.
    package func failReads(from call: Int?) {
        reads.withLock { reads in reads.failing = call.map { reads.count + $0 } }
    }

    private func noteRead() throws(StorageError) {
        let fails = reads.withLock { reads in
            reads.count += 1
            return reads.failing.map { reads.count > $0 } ?? false
        }
        if fails { throw StorageError(code: 5, action: "cannot read", path: path) }
    }

    private func note(_ event: Event) throws(StorageError) {
        let fails = failing.withLock { left in
            guard let calls = left else { return false }
            if calls > 0 { left = calls - 1 }
            return calls == 0
        }
        if fails { throw StorageError(code: 5, action: "cannot write", path: path) }
        log.withLock { $0.append(event) }
    }

    package func size() throws(StorageError) -> Int { try device.size() }

    package func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        try note(.write(offset: offset, bytes: bytes.bytes))
        try device.write(bytes, at: offset)
    }

    package func grow(to size: Int) throws(StorageError) {
        try note(.grow(size))
        try device.grow(to: size)
    }

    package func synchronize() throws(StorageError) {
        try note(.synchronize)
        try device.synchronize()
    }

    package func map(_ size: Int) throws(StorageError) -> ByteSource {
        try noteRead()
        return try device.map(size)
    }

    package func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource {
        try noteRead()
        return try device.mapWithRoom(size)
    }
}

extension [LyingDisk.Event] {
    /// Returns the content of the disk after a power failure.
    ///
    /// - Parameters:
    ///   - base: the content before all events.
    ///   - end: the number of events that have happened.
    ///   - survives: whether an unsynchronised sector of a write, or growth, reached the disk. Data written beyond an
    ///     end that did not move is lost with it.
    package func image(of base: [UInt8], upTo end: Int, sector: Int, survives: () -> Bool) -> [UInt8] {
        let safe = self[..<end].lastIndex { if case .synchronize = $0 { true } else { false } } ?? 0
        var image = base
        for (index, event) in self[..<end].enumerated() {
            switch event {
            case .synchronize: break
            case .grow(let size):
                if image.count < size, index < safe || survives() {
                    image += [UInt8](repeating: 0, count: size - image.count)
                }
            case .write(let offset, let bytes):
                var start = 0
                while start < bytes.count {
                    let count = Swift.min(bytes.count - start, sector - (offset + start) % sector)
                    if index < safe || survives(), offset + start + count <= image.count {
                        image.replaceSubrange(
                            (offset + start)..<(offset + start + count), with: bytes[start..<(start + count)])
                    }
                    start += count
                }
            }
        }
        return image
    }
}
