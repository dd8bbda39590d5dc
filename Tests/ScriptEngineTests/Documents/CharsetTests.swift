import Testing

@testable import ScriptEngine

@Suite struct CharsetTests {
    @Test(
        arguments: [
            ("utf-8", [0xC3, 0xA9], "é"), ("latin1", [0xE9, 0x80], "é€"), ("ISO-8859-1", [0x93, 0x94], "“”"),
            ("windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("koi8-r", [0xF0, 0xD2], "Пр"),
            ("shift_jis", [0x93, 0x8C, 0x8B, 0x9E, 0xB1], "東京ｱ"),
            ("EUC-JP", [0xC5, 0xEC], "東"), ("gb2312", [0xD6, 0xD0], "中"), ("big5", [0xA4, 0xA4], "中"),
            ("euc-kr", [0xC7, 0xD1], "한"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x45, 0x6C, 0x1B, 0x28, 0x42, 0x61], "東a"),
            ("shift_jis", [0x5C, 0x7E], "\\~"),
            ("euc-kr", [0x8C, 0x63], "똠"), ("windows-874", [0xA1], "ก"), ("x-mac-cyrillic", [0x80], "А"),
            ("latin5", [0xFE], "ş"),
            ("utf-16", [0x41, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "A😀"), ("utf-16be", [0x00, 0x41], "A"),
            (" UTF8 ", [0x41], "A"),
        ] as [(String, [UInt8], String)])
    func labelNamesItsEncoding(_ label: String, _ bytes: [UInt8], _ text: String) {
        #expect(bytes.withUnsafeBytes { Charset.decode($0, charset: label) } == text)
    }

    @Test(arguments: ["no-such-charset", "", "utf-8,swaplfnl", "../../etc/passwd", "é"])
    func labelOfNoEncodingIsNil(_ label: String) {
        #expect(Charset(label: label) == nil)
    }

    @Test(
        arguments: [
            ("utf-8", [0x61, 0xFF, 0x62], "a\u{FFFD}b"), ("shift_jis", [0x61, 0x93], "a\u{FFFD}"),
            ("shift_jis", [0x61, 0xFF, 0x62], "a\u{FFFD}b"),
            ("euc-jp", [0x61, 0x62, 0xC5, 0x20, 0x63], "ab\u{FFFD} c"), ("gb18030", [0x81], "\u{FFFD}"),
            ("utf-16", [0x41, 0x00, 0x41], "A\u{FFFD}"), ("utf-16", [0x00, 0xDC], "\u{FFFD}"), ("utf-16", [], ""),
            ("euc-jp", [], ""),
        ] as [(String, [UInt8], String)])
    func unreadableBytesBecomeReplacementCharacters(_ label: String, _ bytes: [UInt8], _ text: String) {
        #expect(bytes.withUnsafeBytes { Charset.decode($0, charset: label) } == text)
    }

    @Test func longTextWithAnUnreadableByteIsKept() {
        let bytes = [UInt8](repeating: 0x78, count: 20_000) + [0xFF] + [UInt8](repeating: 0x79, count: 20_000)
        let text = bytes.withUnsafeBytes { Charset.decode($0, charset: "euc-jp") }
        #expect(text?.count == 40_001)
        #expect(text?.split(separator: "\u{FFFD}").map(\.count) == [20_000, 20_000])
    }

    @Test(arguments: ["gbk", "euc-jp", "shift_jis", "big5", "iso-2022-jp"])
    func encodingIsKeptHoweverManyBytesAreBad(_ label: String) throws {
        let line = Array("abc ".utf8) + [0xFF, 0x20] + Array("def\n".utf8)
        let bytes = Array(repeatElement(line, count: 300).joined())
        let text = try #require(bytes.withUnsafeBytes { Charset.decode($0, charset: label) })
        #expect(text == String(repeating: "abc \u{FFFD} def\n", count: 300))
    }

    @Test func pageInGBKWithBadBytesStaysInGBK() throws {
        let line: [UInt8] = [0xD6, 0xD0, 0xCE, 0xC4, 0x20, 0xFF, 0x0A]
        let bytes = Array("<meta charset=gb2312>".utf8) + Array(repeatElement(line, count: 65).joined())
        let text = bytes.withUnsafeBytes { Charset.text(of: $0, labelled: nil, as: .html) }
        #expect(text == "<meta charset=gb2312>" + String(repeating: "中文 \u{FFFD}\n", count: 65))
    }

    @Test(
        arguments: [
            ("iso-8859-16", [0xA4, 0xFE], "€ț"), ("koi8-u", [0xAE, 0xBE, 0xA4], "ўЎє"),
            ("x-user-defined", [0x41, 0x80, 0xFF], "A\u{F780}\u{F7FF}"),
            ("hz-gb-2312", [0x41], "\u{FFFD}"), ("csisolatin5", [0xFE], "ş"), ("ms932", [0x93, 0x8C], "東"),
            ("unicodefffe", [0x00, 0x41], "A"), ("iso_8859-7:1987", [0xE1], "α"), ("logical", [0xE0], "א"),
        ] as [(String, [UInt8], String)])
    func rareLabelsNameTheirEncodings(_ label: String, _ bytes: [UInt8], _ text: String) {
        #expect(bytes.withUnsafeBytes { Charset.decode($0, charset: label) } == text)
    }

    @Test(
        arguments: [
            ("caf\u{E9} latte", "café latte"), ("\u{93}a\u{94} and b", "“a” and b"),
        ])
    func textThatSaysUTF8WithoutAnyIsOfWindows(_ written: String, _ text: String) {
        let bytes = written.unicodeScalars.map { UInt8($0.value) }
        for markup in [Markup.html, .xml] {
            #expect(bytes.withUnsafeBytes { Charset.text(of: $0, labelled: "utf-8", as: markup) } == text)
        }
        #expect(bytes.withUnsafeBytes { Charset.text(of: $0, labelled: nil, as: .xml) } == text)
    }

    @Test(arguments: [[0x61, 0xC3, 0xA9, 0xFF, 0x62, 0x62, 0x62], [0x61, 0x62, 0x63, 0x64, 0xE2, 0x82]] as [[UInt8]])
    func textOfUTF8WithADamagedByteStaysSo(_ bytes: [UInt8]) {
        let text = bytes.withUnsafeBytes { Charset.text(of: $0, labelled: "utf-8", as: .html) }
        #expect(text == String(decoding: bytes, as: UTF8.self) && text.contains("\u{FFFD}"))
    }

    @Test func standardHas228Labels() { #expect(Charset.names.count == 228) }

    @Test(
        arguments: [
            (nil, Array("\"ä\"".utf8), "\"ä\""), ("iso-8859-1", Array("\"ä\"".utf8), "\"ä\""),
            ("iso-8859-1", [0x22, 0xE4, 0x22], "\"ä\""), (nil, [0x22, 0xE4, 0x22], "\"\u{FFFD}\""),
            (nil, [0x31, 0x00, 0x32, 0x00], "12"), (nil, [0x00, 0x31], "1"), ("utf-16", [0xFF, 0xFE, 0x31, 0x00], "1"),
            ("windows-1251", [0xEF, 0xBB, 0xBF, 0x31], "1"),
        ] as [(String?, [UInt8], String)])
    func jsonIsUTF8UnlessItCannotBe(_ label: String?, _ bytes: [UInt8], _ text: String) {
        #expect(bytes.withUnsafeBytes { Charset.text(of: $0, labelled: label, as: .json) } == text)
    }

    @Test(
        arguments: [
            (Markup.html, nil, [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
            (.html, "latin1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"),
            (.xml, nil, [0xFF, 0xFE, 0x41, 0x00], "A"), (.xml, nil, [0xFE, 0xFF, 0x00, 0x41], "A"),
            (.xml, nil, [0x00, 0x3C, 0x00, 0x3F], "<?"),
            (.html, nil, [0xC3, 0xA9], "é"), (.html, nil, [0xE9], "é"), (.html, "no-such", [0xE9], "é"),
            (.html, "utf-8", [0xE9], "\u{FFFD}"),
            (.xml, nil, [0xE9], "\u{FFFD}"), (.html, nil, [], ""),
        ] as [(Markup, String?, [UInt8], String)])
    func documentIsReadByMarkThenLabelThenUTF8(_ markup: Markup, _ label: String?, _ bytes: [UInt8], _ text: String) {
        #expect(bytes.withUnsafeBytes { Charset.text(of: $0, labelled: label, as: markup) } == text)
    }

    @Test(
        arguments: [
            (Markup.html, "<meta charset=windows-1251>", "П"), (.html, "<META CHARSET = 'koi8-r' />", "о"),
            (.html, "<meta http-equiv=content-type content='text/html; charset=windows-1251; x'>", "П"),
            (.html, "<meta name=a content=b><meta charset=\"windows-1251\">", "П"),
            (.html, "<meta charset=utf-16>", "\u{FFFD}"),
            (.html, "<meta charset=", "Ï"), (.html, "<!-- <meta charset=koi8-r> -->", "Ï"),
            (.html, "<a title='<meta charset=koi8-r>'>", "Ï"),
            (.html, "<meta name=a content='b; charset=koi8-r'>", "Ï"),
            (.html, "<meta charset=x-none><meta charset=koi8-r>", "о"),
            (.html, "<?xml version='1.0' encoding='koi8-r'?>", "о"),
            (.xml, "<?xml version='1.0' encoding='windows-1251'?>", "П"),
            (.xml, "<a encoding='windows-1251'>", "\u{FFFD}"),
        ] as [(Markup, String, String)])
    func declarationInTheDocumentIsUsed(_ markup: Markup, _ start: String, _ letter: String) {
        let bytes = Array(start.utf8) + [0xCF]
        #expect(bytes.withUnsafeBytes { Charset.text(of: $0, labelled: nil, as: markup) } == start + letter)
    }
}
