import Expectations
import Foundation
import RealmObjects
import Testing

/// Notifications about elements that are objects or contain objects, of which each version has different instances.
@Suite struct ToldElementTests {
    final class Box: Object {
        @Persisted var number = 0
        @Persisted var inner: Map<String, Inner?>
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var named: Map<String, AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Inner: EmbeddedObject {
        @Persisted var number = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func boxes() throws -> QueueRealm {
        let boxes = try QueueRealm([Box.self, Inner.self])
        try boxes { realm in
            try realm.write {
                for number in 0..<3 { realm.create(Box.self, value: ["number": number]) }
                let all = realm.objects(Box.self)
                all[0].inner["home"] = Inner(value: [1])
                all[0].inner["work"] = Inner(value: [2])
                all[0].anys.append(.fromArray([.object(all[1]), .int(1)]))
                all[0].anys.append(.fromDictionary(["a": .object(all[1])]))
                all[0].anys.append(.object(all[1]))
                all[0].named["list"] = .fromArray([.fromDictionary(["a": .object(all[1])])])
                all[0].named["link"] = .object(all[1])
            }
            let box = realm.objects(Box.self)[0]
            func keep(_ name: String, _ map: RealmMapChange<Map<String, Inner?>>) {
                if case .update(_, let deletions, let insertions, let modifications) = map {
                    boxes.told.append("\(name) \(deletions) \(insertions) \(modifications)")
                }
            }
            boxes.keep(box.inner.observe { keep("inner", $0) })
            boxes.keep(
                box.anys.observe { change in
                    if case .update(_, let deletions, let insertions, let modifications) = change {
                        boxes.told.append("anys \(deletions) \(insertions) \(modifications)")
                    }
                })
            boxes.keep(
                box.named.observe { change in
                    if case .update(_, let deletions, let insertions, let modifications) = change {
                        boxes.told.append("named \(deletions) \(insertions) \(modifications)")
                    }
                })
        }
        expectEqual(boxes.heard(), [])
        return boxes
    }

    @Test func `elements that hold objects are not reported when something else has changed`() throws {
        let boxes = try Self.boxes()
        try boxes.elsewhere { realm in try realm.write { _ = realm.create(Box.self, value: ["number": 7]) } }
        expectEqual(boxes.heard(), [])
        try boxes.elsewhere { realm in
            try realm.write { realm.objects(Box.self)[0].number = 9 }
        }
        expectEqual(boxes.heard(), [])
    }

    @Test func `elements that hold objects are modified when their objects change`() throws {
        let boxes = try Self.boxes()
        try boxes.elsewhere { realm in
            let all = realm.objects(Box.self)
            try realm.write { all[0].inner["work"]??.number = 20 }
        }
        expectEqual(boxes.heard(), ["inner [] [] [\"work\"]"])
        try boxes.elsewhere { realm in
            let all = realm.objects(Box.self)
            try realm.write { all[0].inner["home"] = Inner(value: [1]) }
        }
        expectEqual(boxes.heard(), ["inner [] [] [\"home\"]"])
        try boxes.elsewhere { realm in
            let all = realm.objects(Box.self)
            try realm.write { all[0].anys[0].listValue?[0] = .object(all[2]) }
        }
        expectEqual(boxes.heard(), ["anys [] [] [0]"])
        try boxes.elsewhere { realm in
            let all = realm.objects(Box.self)
            try realm.write { all[0].anys[1].dictionaryValue?["a"] = .object(all[2]) }
        }
        expectEqual(boxes.heard(), ["anys [] [] [1]"])
        try boxes.elsewhere { realm in
            let all = realm.objects(Box.self)
            try realm.write { all[0].named["list"] = .fromArray([.fromDictionary(["b": .object(all[1])])]) }
        }
        expectEqual(boxes.heard(), ["named [] [] [\"list\"]"])
    }
}
