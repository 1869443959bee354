import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Values that are read by a path into a property.
@Suite struct NestedPathTests {
    private func object(of name: String) throws -> StoredObject {
        let file = try #require(HostileFile.all.first { $0.name == name })
        let table = try RealmDatabase(bytes: file.bytes()).snapshot().table(named: "Hostile")
        return try #require(try table.object(.init(0)))
    }

    @Test(
        arguments: [
            ("Mixed: more than 100 lists in each other", NestedStep<String>.index(0)),
            ("Mixed: more than 100 dictionaries in each other", .key("k")),
            ("Mixed: a list that holds itself", .index(0)),
        ] as [(String, NestedStep<String>)]) func `collections are followed to the maximum depth`(
            name: String, step: NestedStep<String>
        ) throws
    {
        let object = try object(of: name)
        let empty: Value = if case .key = step { .dictionary([]) } else { .list([]) }
        let kind: CollectionKind = if case .key = step { .dictionary(.string) } else { .list }
        for depth in 0..<100 {
            let path = Array(repeating: step, count: depth)
            try expectEqual(object.value(of: PropertyIndex(0), inside: path, isShallow: true), empty)
            let place = CollectionInProperty(path: path, kind: kind)
            try expectEqual(object.elementCount(of: PropertyIndex(0), place), 1)
            var elements = try #require(try object.elements(of: PropertyIndex(0), place))
            try expect(elements.count == 1 && elements.value(at: 0) == empty)
            // With another kind, or at another position, there is nothing.
            let other = CollectionInProperty(path: path, kind: kind == .list ? .dictionary(.string) : .list)
            try expect(object.elements(of: PropertyIndex(0), other) == nil)
            for wrong in [NestedStep<String>.index(1), .index(-1), .key("no key"), .key("")] {
                try expectEqual(object.value(of: PropertyIndex(0), inside: path + [wrong], isShallow: true), .null)
            }
        }
        for depth in 100...103 {
            let path = Array(repeating: step, count: depth)
            #expect(throws: FormatError.self) {
                try object.value(of: PropertyIndex(0), inside: path, isShallow: true)
            }
        }
        // In combination with its content, it is too deep from every starting point.
        for depth in 0..<100 {
            let path = Array(repeating: step, count: depth)
            let error = #expect(throws: FormatError.self) {
                try object.value(of: PropertyIndex(0), inside: path, isShallow: false)
            }
            expect(error?.code == .tooDeep || error?.code == .sharedNodes)
        }
    }
}
