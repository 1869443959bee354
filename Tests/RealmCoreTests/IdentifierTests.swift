import Expectations
import RealmCore
import Testing

struct IdentifierTests {
    private let bytes: [UInt8] = [0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11]
    private let more: [UInt8] = [0x9a, 0xff, 0x00, 0x01]

    @Test
    func `an ObjectId has the twelve bytes of its text, in the same order`() throws {
        let id = try #require(ObjectID(bytes))
        expectEqual(id.bytes, bytes)
        expectEqual(id.description, "507f1f77bcf86cd799439011")
        expectEqual(ObjectID("507F1F77BCF86CD799439011"), id)
        expect(ObjectID(bytes.dropLast() + [0x12]) != id)
        expectEqual(ObjectID(bytes + more), nil)
        expectEqual(ObjectID("507f1f77bcf86cd7994390"), nil)
    }

    @Test
    func `a UUID has the sixteen bytes of its text, in the same order`() throws {
        let id = try #require(UUIDBytes(bytes + more))
        expectEqual(id.bytes, bytes + more)
        expectEqual(id.description, "507f1f77-bcf8-6cd7-9943-90119aff0001")
        expectEqual(UUIDBytes("507F1F77-BCF8-6CD7-9943-90119AFF0001"), id)
        expect(UUIDBytes(bytes + more.reversed()) != id)
        expectEqual(UUIDBytes(bytes), nil)
        expectEqual(UUIDBytes("507f1f77bcf86cd7994390119aff0001"), nil)
    }
}
