extension LegacyFile {
    /// Returns a small file with a column of each type, and with values of old Mixed of each type: two rows.
    package static func everything() -> [UInt8] {
        var file = LegacyFile()
        var columns: [Column] = []
        func add(_ name: String, _ type: Int, _ attributes: Int = 0, _ root: Int) {
            columns.append(Column(name, type, attributes, root: root))
        }
        add("int", 0, 1, file.writer.integers([1, -2]))
        add("intN", 0, nullable, file.nullableIntegers([nil, 7]))
        add("boolN", 1, nullable, file.nullableIntegers([1, nil]))
        add("short", 2, 0, file.writer.shortStrings(["a", ""]))
        add("medium", 2, nullable, file.mediumStrings([nil, "sixteen letters!"], hasFlags: true))
        add("binary", 4, 0, file.smallBinaries([[1, 2], []], hasFlags: false))
        add("date", 7, 0, file.writer.integers([1_400_000_000, -1]))
        add("time", 8, 0, file.timestamps(file.nullableIntegers([5, nil]), file.writer.integers([6, 0])))
        add("double", 10, nullable, file.bits([0x7FF8_0000_0000_00AA, 0x3FF0_0000_0000_0000], bytes: 8))
        var enumerated = Column("enumerated", 3, nullable, root: file.writer.integers([1, 0]))
        enumerated.distinct = file.mediumStrings(["one of these keys", nil], hasFlags: true)
        columns.append(enumerated)
        var link = Column("link", 12, nullable, root: file.writer.integers([0, 1]))
        link.subspecs = [NodeWriter.tagged(0)]
        columns.append(link)
        let element = Column("!ARRAY_VALUE", 1, nullable, root: file.nullableIntegers([0, nil, 1]))
        var list = Column("list", 5, root: file.writer.refs([file.columns([element]), 0]))
        list.subspecs = [file.spec([element])]
        columns.append(list)
        columns.append(file.subtables())
        add("mixed", 6, 0, file.mixed())
        var backlink = Column("", 14, root: file.writer.refs([NodeWriter.tagged(1), 0]))
        backlink.subspecs = [NodeWriter.tagged(0), NodeWriter.tagged(columns.count - 4)]
        columns.append(backlink)
        file.addTable("class_Everything", columns)
        let key = [
            Column("pk_table", 2, 0, root: file.writer.shortStrings(["Everything"])),
            Column("pk_property", 2, 0, root: file.writer.shortStrings(["int"])),
        ]
        file.addTable("pk", key)
        return file.bytes()
    }

    private mutating func subtables() -> Column {
        let inner = Column("x", 0, root: writer.integers([3, 4]))
        var list = Column("inner", 5, root: writer.refs([columns([inner]), 0]))
        list.subspecs = [spec([inner])]
        let cells = [Column("y", 2, root: writer.shortStrings(["p", "q"])), list]
        var column = Column("table", 5, root: writer.refs([0, columns(cells)]))
        column.subspecs = [spec(cells)]
        return column
    }

    /// Adds a table and an integer.
    private mutating func mixed() -> Int {
        let text = [Column("name", 2, root: writer.shortStrings(["first", "second"]))]
        let table = writer.refs([spec(text), columns(text)])
        return writer.refs([
            writer.integers([5, 2]), writer.refs([table, NodeWriter.tagged(0)]),
            smallBinaries([[0x74, 0x65, 0x78, 0x74, 0]], hasFlags: true),
        ])
    }
}
