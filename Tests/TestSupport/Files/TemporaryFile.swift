/// A file that is deleted with this value.
package final class TemporaryFile {
    package let path: String
    private let folder: TemporaryFolder

    package init(_ bytes: [UInt8], name: String = "test.realm") throws {
        folder = try TemporaryFolder()
        try folder.write(bytes, name)
        path = folder.file(name)
    }

    /// Creates a fixture with changed bytes.
    package convenience init(fixture: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try KnownFile.fixture(fixture).bytes()
        change(&bytes)
        try self.init(bytes)
    }
}
