internal import RealmStorage
internal import RealmSystem

/// The growing memory of an `UnsharedArray`; independent of the element type, so that it is compiled once.
@unsafe
struct GrowingMemory {
    /// The first element; nil while empty.
    private(set) var start: UnsafeMutableRawPointer?
    /// The file-backed memory of the elements; nil when they are in memory of the process.
    private(set) var disk: DiskMemory?
    /// Bytes this array contributes to the total of all large arrays in memory.
    private(set) var counted: Int

    init(start: UnsafeMutableRawPointer?, _ disk: DiskMemory?, _ counted: Int) {
        unsafe self.start = start
        unsafe self.disk = disk
        unsafe self.counted = counted
    }

    /// Grows to `size` bytes and keeps the first `used`. Large memory moves to disk if there is room.
    @inline(never)
    mutating func grow(to size: Int, keeping used: Int, in folder: ScratchFolder?) {
        if size > UnsharedArrayLimit.leastOnDisk, unsafe UnsharedArrayLimit.isExceeded(by: size, beside: counted),
            let folder, unsafe growOnDisk(size, keeping: used, in: folder)
        {
            return
        }
        if unsafe disk == nil, let memory = unsafe realloc(start, size) {
            unsafe start = memory
        } else {
            let memory = unsafe malloc(size) ?? .allocate(byteCount: size, alignment: 16)
            unsafe move(to: memory, used)
        }
        unsafe counted = UnsharedArrayLimit.counted(size, before: counted)
    }

    /// Returns false when the disk has no room.
    private mutating func growOnDisk(_ size: Int, keeping used: Int, in folder: ScratchFolder) -> Bool {
        do throws(StorageError) {
            if let disk = unsafe disk {
                try disk.grow(to: size)
                unsafe start = disk.start
            } else {
                let disk = try DiskMemory(size: size, in: folder)
                unsafe move(to: disk.start, used)
                unsafe self.disk = disk
            }
        } catch {
            return false
        }
        unsafe counted = UnsharedArrayLimit.counted(0, before: counted)
        return true
    }

    private mutating func move(to memory: UnsafeMutableRawPointer, _ used: Int) {
        if let start = unsafe start {
            unsafe memory.copyMemory(from: start, byteCount: used)
            if unsafe disk == nil { unsafe free(start) }
        }
        unsafe start = memory
        unsafe disk = nil
    }
}
