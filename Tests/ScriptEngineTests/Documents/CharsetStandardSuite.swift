import TestSupport
import Testing

@testable import ScriptEngine

/// html5lib's tests of encodings that pages declare.
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
