/// A list that keeps objects alive for loops over every value of a file, in which reference counting would dominate.
@safe
final class OwnedObjects<Element: AnyObject> {
    private var owners: [Element] = []
    /// The same objects, unretained.
    private var base: UnsafeMutablePointer<Unmanaged<Element>>
    private var capacity = 0
    /// Number of objects.
    private(set) var count = 0

    init() { unsafe base = .allocate(capacity: 0) }

    convenience init(_ elements: [Element]) {
        self.init()
        for element in elements { append(element) }
    }

    deinit { unsafe base.deallocate() }

    /// Appends an object, which stays in the list.
    func append(_ element: Element) {
        if count == capacity { grow() }
        owners.append(element)
        unsafe (base + count).initialize(to: .passUnretained(element))
        count += 1
    }

    private func grow() {
        capacity = Swift.max(4, capacity * 2)
        let larger = UnsafeMutablePointer<Unmanaged<Element>>.allocate(capacity: capacity)
        unsafe larger.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
    }

    /// Calls `body` with an object, which must not escape. Traps if the index is out of range.
    @inline(__always)
    func with<R, E: Error>(_ index: Int, _ body: (Element) throws(E) -> R) throws(E) -> R {
        precondition(index >= 0 && index < count, "index outside of the list")
        let result: Result<R, E> = unsafe base[index]._withUnsafeGuaranteedRef { element in
            do throws(E) { return .success(try body(element)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
