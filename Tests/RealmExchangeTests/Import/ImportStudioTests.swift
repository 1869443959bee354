import Expectations
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// Files of Realm Studio that nobody wrote in good faith. The usual ones are among the golden cases of the command.
@Suite struct ImportStudioTests {
    private func refusal(_ body: () throws -> Imported) -> DocumentError? {
        do {
            _ = try body()
        } catch ImportError.document(let error) {
            return error
        } catch {}
        return nil
    }

    @Test(
        arguments: [
            // A list in itself; an index beyond the end, below zero, and that is no number.
            (#"[{"A":"1"},["2"],{"a":"3"},["3"]]"#, DocumentError.Code.tooDeep),
            (#"[{"A":"1"},["2"],{"a":"9"}]"#, .malformed), (#"[{"A":"1"},["-1"]]"#, .malformed),
            (#"[{"A":"1"},["x"]]"#, .malformed),
            // A reference to an object that is not there.
            (#"{"A":[{"a":{"$ref":"7"}}]}"#, .malformed),
        ] as [(String, DocumentError.Code)]) func `wrong references are refused`(
            _ text: String, _ code: DocumentError.Code
        )
    {
        expectEqual(refusal { try Imported(["app.json": text], only: ["app.json"]) }?.code, code, "\(text)")
    }

    /// Objects that are in no list are embedded, and must end somewhere.
    @Test func `a circle of objects without a class is refused`() {
        let text = #"[{"A":"1"},["2"],{"a":"3"},{"b":"4"},{"b":"3"}]"#
        expectEqual(refusal { try Imported(["app.json": text], only: ["app.json"]) }?.code, .tooDeep)
    }

    /// Each list, or object, has the next one twice, so that the last comes 2^60 times.
    @Test(arguments: [true, false]) func `values that repeat each other are refused`(_ areLists: Bool) {
        let last = 62
        let repeated = (2..<last).map {
            areLists ? "[\"\($0 + 1)\",\"\($0 + 1)\"]" : "{\"a\":\"\($0 + 1)\",\"b\":\"\($0 + 1)\"}"
        }
        let text = "[{\"A\":\"1\"},[\"\(last + 1)\"],\(repeated.joined(separator: ",")),1,{\"c\":\"2\"}]"
        expectEqual(refusal { try Imported(["app.json": text], only: ["app.json"]) }?.code, .tooDeep)
    }

    /// Links lead to the object with the same content, also where objects link to each other.
    @Test func `links are found by content`() throws {
        let text = """
            [{"Dog":"1","Person":"2"},["3","4"],["5"],{"name":"6","owner":"7"},{"name":"8","owner":null},\
            {"name":"9","dogs":"10"},"Rex",{"name":"9","dogs":"11"},"Bori","Ann",["12"],["13"],\
            {"name":"6","owner":"5"},{"name":"6","owner":"7"}]
            """
        let imported = try Imported(["app.json": text], only: ["app.json"])
        try expectEqual(imported.values("Dog").count, 2)
        guard case .link(let owner) = try imported.values("Dog")[0][1] else { throw TestSupportError("no link") }
        expectEqual(owner.table.name, "Person")
        guard case .list(let dogs) = try imported.values("Person")[0][1], case .link(let dog)? = dogs.first else {
            throw TestSupportError("no list of links")
        }
        expect(dogs.count == 1 && dog.table.name == "Dog" && dog.objectKey.value == 0)
    }
}
