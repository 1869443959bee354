/// Objects that are known as long as they are retained elsewhere.
struct WeakList<Element: AnyObject> {
    private struct Held {
        weak var element: Element?
    }

    private var held: [Held] = []
    private let least: Int
    private var limit: Int

    /// - Parameter least: number of entries at which those of released objects are first removed.
    init(least: Int) { (self.least, limit) = (least, least) }

    mutating func add(_ element: Element) {
        if held.count >= limit {
            held.removeAll { $0.element == nil }
            limit = max(least, 2 * held.count)
        }
        held.append(Held(element: element))
    }

    func forEach(_ body: (Element) -> Void) {
        for held in held { if let element = held.element { body(element) } }
    }

    mutating func removeAll() {
        held.removeAll(keepingCapacity: held.count <= least)
        limit = least
    }
}
