/// Who wants to know when a realm shows another version.
final class RealmObservers {
    private var observers: [Int: (RealmState) -> Void] = [:]
    private var next = 0

    func add(_ observer: @escaping (RealmState) -> Void) -> Int {
        next += 1
        observers[next] = observer
        return next
    }

    func remove(_ number: Int) { observers[number] = nil }

    func tell(_ realm: RealmState) {
        for (number, observer) in observers.sorted(by: { $0.key < $1.key }) where observers[number] != nil {
            observer(realm)
        }
    }
}
