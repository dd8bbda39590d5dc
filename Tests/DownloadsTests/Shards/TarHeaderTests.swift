import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct TarHeaderTests {
    private static let names = [
        "a.jpg", "folder/a.jpg", String(repeating: "n", count: 100), String(repeating: "n", count: 101),
        String(repeating: "d", count: 155) + "/" + String(repeating: "n", count: 100),
        String(repeating: "d", count: 156) + "/" + String(repeating: "n", count: 100),
        String(repeating: "dir/", count: 60) + String(repeating: "x", count: 180),
        "Jürgen/狐 🦊.png", String(repeating: "狐", count: 60) + "/" + String(repeating: "狐", count: 80),
    ]

    private func archive(_ files: [(path: String, content: [UInt8])]) -> [UInt8] {
        TarHeader.archive(of: files, time: 1_700_000_000)
    }

    @Test(arguments: names)
    func everyNameIsReadBack(name: String) throws {
        var reader = TarReader(BytesContent(archive([(name, [1, 2, 3]), ("next", [])])))
        let entry = try #require(try reader.next())
        #expect(entry.name == name)
        #expect(entry.content.count == 3)
        #expect(try reader.next()?.name == "next")
        #expect(try reader.next() == nil)
    }

    @Test func otherProgramsReadTheSame() throws {
        let tar = try #require(HelperProcess.path(of: "tar"))
        let folder = TemporaryFolder()
        let bytes = archive(Self.names.map { ($0, Array($0.utf8)) })
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/a.tar"))
        #expect(try HelperProcess.run(tar, ["-xf", folder.path + "/a.tar", "-C", folder.path]))
        for name in Self.names {
            let content = FileManager.default.contents(atPath: folder.path + "/" + name)
            #expect(content.map { String(decoding: $0, as: UTF8.self) } == name)
        }
    }

    @Test func fileBeyondWhatUstarCanCountHasItsSizeInAPaxRecord() throws {
        let size = 0o77777777777 + 1
        let bytes = TarHeader.bytes(name: "a", size: size, time: 0)
        #expect(bytes.count == 3 * TarHeader.block)
        #expect(String(decoding: bytes[512..<534], as: UTF8.self) == "19 size=8589934592\n\0\0\0")
    }

    @Test(arguments: [0, 1, 511, 512, 700, 1_023, 1_535])
    func archiveThatBreaksOffEndsBeforeTheBreak(length: Int) throws {
        let whole = archive([("a", [UInt8](repeating: 7, count: 600))])
        var reader = TarReader(BytesContent(Array(whole.prefix(length))))
        #expect(try reader.next() == nil)
    }

    @Test(arguments: ["9223372036854775807", "-1", "1099511627776"])
    func sizeBeyondTheArchiveEndsIt(size: String) throws {
        let record = "size=\(size)\n"
        let header = TarHeader.bytes(name: String(repeating: "é", count: 80), size: 0, time: 0)
        // The pax record of the long name makes way for one of a size.
        var bytes = header
        let text = Array("\(record.utf8.count + 3) \(record)".utf8)
        for place in 0..<TarHeader.block { bytes[TarHeader.block + place] = place < text.count ? text[place] : 0 }
        var reader = TarReader(BytesContent(bytes))
        #expect(try reader.next() == nil)
    }
}
