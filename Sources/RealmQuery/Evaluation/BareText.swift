/// Text without accents and other marks, as CoreFoundation compares it for `[d]` and `[cd]`. Realm's Swift SDK does the
/// same.
///
/// Marks are ignored after letters and signs before U+0510, which are those of Latin, Greek and Cyrillic. After those
/// of other scripts they are significant, and compared by canonical equivalence. `ø` and `ı` are letters without marks.
package struct BareText: Equatable {
    /// Letters or their case foldings, of which there may be several: `ß` becomes `ss`. In other scripts, letters with
    /// their marks.
    private var units: [String] = []
    /// Indexes of units that continue a letter: a match cannot begin or end within a letter.
    private var inner: Set<Int> = []

    package static func == (left: BareText, right: BareText) -> Bool { left.units == right.units }

    /// Invalid UTF-8 becomes the replacement character, as in any `String`.
    package init(_ bytes: [UInt8], _ folding: TextFolding) {
        let ignoresCase = folding.contains(.case)
        units.reserveCapacity(bytes.count)
        var isBare = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.isASCII {
                append(scalar, ignoresCase)
                isBare = true
            } else if scalar.isMark, !units.isEmpty {
                if !isBare { units[units.count - 1].unicodeScalars.append(scalar) }
            } else if 0xAC00...0xD7A3 ~= scalar.value {
                appendSyllable(scalar.value - 0xAC00)
                isBare = false
            } else {
                let base = Self.bases[scalar] ?? scalar
                isBare = base.value < 0x510
                append(base, ignoresCase)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ ignoresCase: Bool) {
        // The dotless i is a separate letter in both cases.
        guard ignoresCase, scalar != "\u{131}" else { return units.append(String(scalar)) }
        if scalar.isASCII { return units.append(scalar.properties.lowercaseMapping) }
        let first = units.count
        for folded in scalar.properties.lowercaseMapping.uppercased().lowercased().unicodeScalars where !folded.isMark {
            if units.count > first { inner.insert(units.count) }
            units.append(String(folded))
        }
    }

    /// Splits a Hangul syllable into its two or three letters.
    private mutating func appendSyllable(_ number: UInt32) {
        let letters = [0x1100 + number / 588, 0x1161 + number % 588 / 28, 0x11A7 + number % 28]
        for (place, letter) in (number % 28 == 0 ? letters.dropLast() : letters[...]).enumerated() {
            if place > 0 { inner.insert(units.count) }
            if let scalar = Unicode.Scalar(letter) { units.append(String(scalar)) }
        }
    }

    package func begins(with sought: BareText) -> Bool { finds(sought, at: 0) }
    package func ends(with sought: BareText) -> Bool { finds(sought, at: units.count - sought.units.count) }
    package func contains(_ sought: BareText) -> Bool {
        sought.units.isEmpty || units.indices.contains { finds(sought, at: $0) }
    }

    private func finds(_ sought: BareText, at start: Int) -> Bool {
        let end = start + sought.units.count
        guard start >= 0, end <= units.count, !inner.contains(start), !inner.contains(end) else { return false }
        return units[start..<end].elementsEqual(sought.units)
    }

    /// Base letters of letters with marks: all scalars whose canonical decomposition begins with a scalar before
    /// U+0510.
    private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
        var bases: [Unicode.Scalar: Unicode.Scalar] = [:]
        for word in table.unicodeScalars.split(separator: " ") {
            guard let base = word.first else { continue }
            for scalar in word.dropFirst() { bases[scalar] = base }
        }
        return bases
    }()

    /// Words that consist of a base letter and the letters derived from it by marks.
    private static let table = """
        ;\u{37E} <≮ =≠ >≯ AÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ\u{212B} BḂḄḆ CÇĆĈĊČḈ DĎḊḌḎḐḒ EÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ FḞ GĜĞĠĢǦǴḠ \
        HĤȞḢḤḦḨḪ IÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ JĴ KĶǨḰḲḴ\u{212A} LĹĻĽḶḸḺḼ MḾṀṂ NÑŃŅŇǸṄṆṈṊ OÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ PṔṖ \
        RŔŖŘȐȒṘṚṜṞ SŚŜŞŠȘṠṢṤṦṨ TŢŤȚṪṬṮṰ UÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ VṼṾ WŴẀẂẄẆẈ XẊẌ YÝŶŸȲẎỲỴỶỸ ZŹŻŽẐẒẔ `\u{1FEF} \
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ hĥȟḣḥḧḩḫẖ iìíîïĩīĭįǐȉȋḭḯỉị \
        jĵǰ kķǩḱḳḵ lĺļľḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ rŕŗřȑȓṙṛṝṟ sśŝşšșṡṣṥṧṩ tţťțṫṭṯṱẗ \
        uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ ¨΅῁῭\u{1FEE} ´\u{1FFD} ·\u{387} ÆǢǼ ØǾ æǣǽ øǿ ſẛ \
        ƷǮ ʒǯ ʹ\u{374} ΑΆἈἉἊἋἌἍἎἏᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾺ\u{1FBB}ᾼ ΕΈἘἙἚἛἜἝῈ\u{1FC9} ΗΉἨἩἪἫἬἭἮἯᾘᾙᾚᾛᾜᾝᾞᾟῊ\u{1FCB}ῌ ΙΊΪἸἹἺἻἼἽἾἿῘῙῚ\u{1FDB} \
        ΟΌὈὉὊὋὌὍῸ\u{1FF9} ΡῬ ΥΎΫὙὛὝὟῨῩῪ\u{1FEB} ΩΏὨὩὪὫὬὭὮὯᾨᾩᾪᾫᾬᾭᾮᾯῺ\u{1FFB}ῼ\u{2126} αάἀἁἂἃἄἅἆἇὰ\u{1F71}ᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ \
        εέἐἑἒἓἔἕὲ\u{1F73} ηήἠἡἢἣἤἥἦἧὴ\u{1F75}ᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ ιΐίϊἰἱἲἳἴἵἶἷὶ\u{1F77}\u{1FBE}ῐῑῒ\u{1FD3}ῖῗ οόὀὁὂὃὄὅὸ\u{1F79} ρῤῥ \
        υΰϋύὐὑὒὓὔὕὖὗὺ\u{1F7B}ῠῡῢ\u{1FE3}ῦῧ ωώὠὡὢὣὤὥὦὧὼ\u{1F7D}ᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒϓϔ ІЇ АӐӒ ГЃ ЕЀЁӖ ЖӁӜ ЗӞ ИЍЙӢӤ КЌ ОӦ УЎӮӰӲ ЧӴ ЫӸ \
        ЭӬ аӑӓ гѓ еѐёӗ жӂӝ зӟ ийѝӣӥ кќ оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѴѶ ѵѷ ӘӚ әӛ ӨӪ өӫ
        """
}

extension Unicode.Scalar {
    /// Whether it belongs to the character before it.
    fileprivate var isMark: Bool {
        properties.isGraphemeExtend || 0x1F3FB...0x1F3FF ~= value || 0xE0020...0xE007F ~= value
    }
}
