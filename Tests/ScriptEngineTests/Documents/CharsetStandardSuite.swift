import ProviderModel
import TestSupport
import Testing

@testable import ScriptEngine

/// html5lib's tests of encodings that pages declare, and the labels and tables of the Encoding Standard.
@Suite(.enabled(if: StandardSuite.folder != nil, "IMGSCRIPT_SUITES names no folder of suites"))
struct CharsetStandardSuite {
    @Test func declarations() throws {
        var suite = StandardSuite("html5lib-tests, encoding", against: "encodings that pages declare")
        let folder = "html5lib+html5lib-tests/encoding"
        for file in try suite.files(in: folder).filter({ $0.hasSuffix(".dat") }) {
            for test in Self.cases(in: try suite.bytes(of: "\(folder)/\(file)")) {
                let found = test.data.withUnsafeBytes { page in
                    Charset.byteOrderMark(in: page)?.0 ?? Charset.declared(in: page, as: .html) ?? .windows1252
                }
                let label = String(decoding: test.data.prefix(200), as: UTF8.self)
                suite.note(found == Charset(label: test.encoding), "\(file): \(test.encoding): \(label)")
            }
        }
        #expect(suite.faults == [])
    }

    @Test func labels() throws {
        var suite = StandardSuite("Encoding Standard, labels", against: "headers, `<meta>` and XML declarations")
        let sections = try #require(
            JSONValue.found(in: try suite.bytes(of: "whatwg+encoding/encodings.json"))?.elements)
        for encoding in sections.flatMap({ $0["encodings"]?.elements ?? [] }) {
            let name = encoding["name"]?.textValue ?? ""
            let sample = Self.sample(of: name)
            for label in encoding["labels"]?.elements?.compactMap(\.textValue) ?? [] {
                let text = sample.bytes.withUnsafeBytes { Charset.text(of: $0, labelled: label, as: .html) }
                suite.note(text == sample.text, "header: \(label): \(text)")
                // What can be read byte by byte is not in UTF-16, and a page in x-user-defined is windows-1252 (HTML §13.2.3.2).
                let declared = ["UTF-16BE", "UTF-16LE", "x-user-defined"].contains(name) ? "né" : sample.text
                let bytes =
                    name == "x-user-defined"
                    ? [0x6E, 0xE9] : name.hasPrefix("UTF-16") ? Array("né".utf8) : sample.bytes
                for (place, text) in zip(["meta", "XML"], Self.declaredTexts(of: bytes, label: label)) {
                    suite.note(text.contains(declared), "\(place): \(label): \(text)")
                }
            }
        }
        #expect(suite.faults == [])
    }

    @Test func tables() throws {
        var suite = StandardSuite("Encoding Standard, tables", against: "pages in these encodings")
        let tables = try #require(JSONValue.found(in: try suite.bytes(of: "whatwg+encoding/indexes.json")))
        for table in EncodingTable.all {
            guard let points = tables[table.name]?.elements else { continue }
            for (encoding, shape) in table.uses {
                let charset = try #require(Charset(label: encoding))
                let known = points.enumerated().compactMap { pointer, point in
                    shape(pointer).flatMap { bytes in Double(point.compact).map { (bytes: bytes, point: $0) } }
                }
                // A line each: a faulty one costs no other.
                let page: [UInt8] = known.flatMap { known in known.bytes + [0x0A] }
                let lines = page.withUnsafeBytes { charset.decode($0) }.split(
                    separator: "\n", omittingEmptySubsequences: false)
                for (line, (bytes, point)) in zip(lines, known) {
                    let isRight = line.unicodeScalars.map { Double($0.value) } == [point]
                    suite.note(
                        isRight, "\(encoding): \(bytes): \(line), expected \(point)",
                        exception: Self.tablesOfICU.contains(encoding)
                            ? "\(encoding): characters that ICU has not, or has elsewhere" : nil)
                }
            }
        }
        #expect(suite.faults == [])
    }

    /// The encodings of which ICU's tables are other editions.
    private static let tablesOfICU = ["windows-1255", "big5", "gb18030", "gbk"]

    /// Some bytes beyond ASCII in an encoding, and the text they stand for.
    private static func sample(of encoding: String) -> (bytes: [UInt8], text: String) {
        switch encoding {
        case "UTF-8": (Array("né猫".utf8), "né猫")
        case "UTF-16LE": ([0x6E, 0, 0xE9, 0], "né")
        case "UTF-16BE": ([0, 0x6E, 0, 0xE9], "né")
        case "replacement": ([0x6E], "\u{FFFD}")
        case "x-user-defined": ([0x6E, 0xE9], "n\u{F7E9}")
        case "GBK", "gb18030": ([0xC3, 0xA8], "猫")
        case "Big5": ([0xBF, 0xDF], "貓")
        case "EUC-JP": ([0xC7, 0xAD], "猫")
        case "ISO-2022-JP": ([0x1B, 0x24, 0x42, 0x47, 0x2D, 0x1B, 0x28, 0x42], "猫")
        case "Shift_JIS": ([0x94, 0x4C], "猫")
        case "EUC-KR": ([0xB0, 0xED], "고")
        default: ([0x6E, 0xE1], singleByte[encoding] ?? "-")
        }
    }

    /// The text of the bytes 6E and E1 in encodings of one byte a character.
    private static let singleByte = [
        "IBM866": "nс", "ISO-8859-2": "ná", "ISO-8859-3": "ná", "ISO-8859-4": "ná", "ISO-8859-5": "nс",
        "ISO-8859-6": "nف", "ISO-8859-7": "nα", "ISO-8859-8": "nב", "ISO-8859-8-I": "nב", "ISO-8859-10": "ná",
        "ISO-8859-13": "nį", "ISO-8859-14": "ná", "ISO-8859-15": "ná", "ISO-8859-16": "ná", "KOI8-R": "nА",
        "KOI8-U": "nА", "macintosh": "n·", "windows-874": "nแ", "windows-1250": "ná", "windows-1251": "nб",
        "windows-1252": "ná", "windows-1253": "nα", "windows-1254": "ná", "windows-1255": "nב", "windows-1256": "nل",
        "windows-1257": "nį", "windows-1258": "ná", "x-mac-cyrillic": "nб",
    ]

    private static func declaredTexts(of bytes: [UInt8], label: String) -> [String] {
        let page = Array("<!DOCTYPE html><meta charset=\(label)><p>".utf8) + bytes
        let document = Array("<?xml version='1.0' encoding='\(label)'?><p>".utf8) + bytes + Array("</p>".utf8)
        return [
            page.withUnsafeBytes { Charset.text(of: $0, labelled: nil, as: .html) },
            document.withUnsafeBytes { Charset.text(of: $0, labelled: nil, as: .xml) },
        ]
    }

    /// The pages, in bytes, each with the label of its encoding.
    private static func cases(in file: [UInt8]) -> [(data: [UInt8], encoding: String)] {
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var cases: [(data: [UInt8], encoding: String)] = []
        var page: [ArraySlice<UInt8>] = []
        for (index, line) in lines.enumerated() {
            if line.elementsEqual("#data".utf8) {
                page = []
            } else if line.elementsEqual("#encoding".utf8), index + 1 < lines.count {
                cases.append(
                    (
                        Array(page.joined(separator: [UInt8(ascii: "\n")])),
                        String(decoding: lines[index + 1], as: UTF8.self)
                    ))
            } else {
                page.append(line)
            }
        }
        return cases
    }
}

/// A table of the Encoding Standard, with the encodings that use it and the bytes of its pointers there.
private struct EncodingTable: Sendable {
    typealias Shape = @Sendable (Int) -> [UInt8]?

    let name: String
    let uses: [(encoding: String, shape: Shape)]

    static let all: [EncodingTable] =
        singleBytes.map { EncodingTable(name: $0, uses: [($0, single)]) } + [
            EncodingTable(name: "big5", uses: [("big5", big5)]),
            EncodingTable(name: "euc-kr", uses: [("euc-kr", wide)]),
            EncodingTable(name: "gb18030", uses: [("gb18030", gb), ("gbk", gb)]),
            EncodingTable(
                name: "jis0208", uses: [("euc-jp", eucJP), ("shift_jis", shiftJIS), ("iso-2022-jp", iso2022JP)]),
            EncodingTable(name: "jis0212", uses: [("euc-jp", { eucJP($0).map { [0x8F] + $0 } })]),
        ]

    private static let singleBytes = [
        "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
        "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh",
        "windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
        "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic",
    ]

    @Sendable private static func single(_ pointer: Int) -> [UInt8]? { [UInt8(pointer + 0x80)] }

    @Sendable private static func wide(_ pointer: Int) -> [UInt8]? {
        [UInt8(pointer / 190 + 0x81), UInt8(pointer % 190 + 0x41)]
    }

    @Sendable private static func gb(_ pointer: Int) -> [UInt8]? {
        let trail = pointer % 190
        return [UInt8(pointer / 190 + 0x81), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41))]
    }

    @Sendable private static func big5(_ pointer: Int) -> [UInt8]? {
        let trail = pointer % 157
        return [UInt8(pointer / 157 + 0x81), UInt8(trail + (trail < 0x3F ? 0x40 : 0x62))]
    }

    @Sendable private static func eucJP(_ pointer: Int) -> [UInt8]? {
        pointer < 94 * 94 ? [UInt8(pointer / 94 + 0xA1), UInt8(pointer % 94 + 0xA1)] : nil
    }

    @Sendable private static func iso2022JP(_ pointer: Int) -> [UInt8]? {
        guard pointer < 94 * 94 else { return nil }
        return [0x1B, 0x24, 0x42, UInt8(pointer / 94 + 0x21), UInt8(pointer % 94 + 0x21), 0x1B, 0x28, 0x42]
    }

    @Sendable private static func shiftJIS(_ pointer: Int) -> [UInt8]? {
        let (lead, trail) = (pointer / 188, pointer % 188)
        return [UInt8(lead + (lead < 0x1F ? 0x81 : 0xC1)), UInt8(trail + (trail < 0x3F ? 0x40 : 0x41))]
    }
}
