import CLibBSON

/// BSON made by libbson from Extended JSON.
enum BSONBytes {
    static func of(_ text: String) -> [UInt8] {
        guard let document = bson_new_from_json(Array(text.utf8), text.utf8.count, nil) else { return [] }
        defer { bson_destroy(document) }
        return [UInt8](UnsafeBufferPointer(start: bson_get_data(document), count: realmfile_bson_length(document)))
    }
}
