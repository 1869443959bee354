package import RealmLayout
internal import RealmSystem

/// Size, times and identity of a file, from the file system.
package struct FileFacts: Equatable, Sendable {
    /// The size in bytes.
    package let size: Int
    /// The time of the last change of the content.
    package let modified: Timestamp?
    /// The time of the last change of the content, the name or the permissions.
    package let changed: Timestamp?
    /// The time of the last access.
    package let accessed: Timestamp?
    /// The number of the file in its file system.
    package let inode: UInt64
    /// The number of the file system's device.
    package let device: UInt64
    /// The number of the owner.
    package let owner: UInt32
    /// The permissions and the kind of file.
    package let mode: UInt32

    /// Reads the facts, without opening the file.
    ///
    /// - Throws: `StorageError` if there is no such file.
    package init(path: String) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path.native, &status) == 0 else { throw .last("cannot open", path) }
        size = Int(status.st_size)
        #if canImport(Darwin)
            let times = (status.st_mtimespec, status.st_ctimespec, status.st_atimespec)
        #else
            let times = (status.st_mtim, status.st_ctim, status.st_atim)
        #endif
        func time(_ time: timespec) -> Timestamp? {
            Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
        }
        (modified, changed, accessed) = (time(times.0), time(times.1), time(times.2))
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        owner = UInt32(truncatingIfNeeded: status.st_uid)
        mode = UInt32(truncatingIfNeeded: status.st_mode)
    }
}

/// The machine and the moment of a report.
package struct Moment: Equatable, Sendable {
    /// The name of the host.
    package let host: String
    /// The current time.
    package let time: Timestamp?

    /// Now, on this host.
    package static func now() -> Moment {
        var name = [CChar](repeating: 0, count: 256)
        // The name may be cut without a zero at its end.
        let isKnown = unsafe gethostname(&name, name.count - 1) == 0
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return Moment(
            host: isKnown ? String(decoding: bytes, as: UTF8.self) : "",
            time: Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)))
    }
}
