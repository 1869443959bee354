internal import RealmCore
internal import RealmLayout

/// A test of single values in leaves of the usual form, at arbitrary places in the file.
protocol PlainProbe {
    /// The location of a value.
    associatedtype Place: BitwiseCopyable

    /// Whether it reads any values.
    static var looksAtValues: Bool { get }

    /// The location of a row's value; nil for leaves of other forms and for damaged ones, which `ColumnTest` handles.
    ///
    /// - Parameter count: the number of objects in the cluster.
    func place(of row: Int, _ count: Int, in leaf: Ref, _ space: NodeSpace) -> Place?

    /// The offset of a value from the beginning of its leaf.
    func distance(to place: Place) -> Int

    func holds(_ place: Place) -> Bool
}

/// A probe that reads no values.
struct NoProbe: PlainProbe {
    static let looksAtValues = false

    func place(of row: Int, _ count: Int, in leaf: Ref, _ space: NodeSpace) -> UInt64? { nil }
    func distance(to place: UInt64) -> Int { 0 }
    func holds(_ place: UInt64) -> Bool { false }
}

/// Tests whether short strings equal a given one.
struct ShortTextProbe: PlainProbe {
    static let looksAtValues = true

    /// Owned by the test.
    private let text: ByteView

    struct Place: BitwiseCopyable {
        let strings: ShortStrings
        let row: Int
    }

    /// - Returns: nil for other tests and columns.
    init?(_ test: ColumnTest, _ column: Column) {
        guard !test.null, case .string = column.leafType, case .text(let texts) = test.kind,
            let text = texts.onlyEqual
        else { return nil }
        self.text = text
    }

    @inline(__always)
    func place(of row: Int, _ count: Int, in leaf: Ref, _ space: NodeSpace) -> Place? {
        guard let strings = space.plainShortStrings(at: leaf), strings.count == count else { return nil }
        // `ColumnTest` handles leaves of width 0.
        return strings.width > 0 ? Place(strings: strings, row: row) : nil
    }

    @inline(__always)
    func distance(to place: Place) -> Int { NodeHeader.size &+ place.row &* place.strings.width }

    @inline(__always)
    func holds(_ place: Place) -> Bool { place.strings.plainString(at: place.row)?.elementsEqual(text) ?? false }
}

/// Tests whether integers are in a range.
struct IntegerProbe: PlainProbe {
    static let looksAtValues = true

    private let range: ClosedRange<Int64>
    private let isNullable: Bool

    struct Place: BitwiseCopyable {
        let numbers: IntegerVector
        let index: Int
    }

    /// - Returns: nil for other tests and columns.
    init?(_ test: ColumnTest, _ column: Column) {
        guard !test.null, case .int(let isNullable) = column.leafType, case .integers(let integers) = test.kind,
            integers.ranges.ranges.count == 1
        else { return nil }
        range = integers.ranges.ranges[0]
        self.isNullable = isNullable
    }

    @inline(__always)
    func place(of row: Int, _ count: Int, in leaf: Ref, _ space: NodeSpace) -> Place? {
        // Leaves of nullable integers begin with the sentinel for null.
        let before = isNullable ? 1 : 0
        guard let numbers = space.plainIntegers(at: leaf, hasRefs: false), numbers.count == count &+ before else {
            return nil
        }
        return Place(numbers: numbers, index: row &+ before)
    }

    @inline(__always)
    func distance(to place: Place) -> Int { NodeHeader.size &+ (place.index &* place.numbers.width) &>> 3 }

    @inline(__always)
    func holds(_ place: Place) -> Bool {
        let number = place.numbers[unchecked: place.index]
        return range.contains(number) && !(isNullable && number == place.numbers[unchecked: 0])
    }
}
