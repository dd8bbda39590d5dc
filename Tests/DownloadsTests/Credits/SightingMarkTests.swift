import Foundation
import TestSupport
import Testing

@testable import Downloads

@Suite struct SightingMarkTests {
    private let folder = TemporaryFolder()

    private func isCredited() throws -> Bool {
        try String(contentsOfFile: folder.path + "/credits.json", encoding: .utf8).contains(#""path":"1.jpg""#)
    }

    @Test func lastsForAMoment() {
        var mark = SightingMark()
        let number = mark.number
        mark.renew(at: .now + .seconds(9))
        #expect(mark.number == number)
        mark.renew(at: .now + .seconds(11))
        #expect(mark.number != number)
    }

    /// Only the run that put a file in its place takes it for granted, and only for a moment.
    @Test func fileThatIsRemovedIsNotCreditedByTheNextRun() throws {
        let planned = try DownloadPlanner().plan(ItemSource("https://a.example").requests(["1"])[0])
        let hash = ContentHash(xxh128: [UInt8](repeating: 1, count: 16))
        let file = FetchedFile(bytes: 3, hash: hash, format: .jpeg, size: nil, notes: [])
        do {
            let ledger = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json])
            try ledger.announce(planned, from: planned.media, at: ["1.jpg"])
            // It is not looked for.
            try ledger.note(
                DownloadedFile(planned: planned, media: planned.media, path: "1.jpg", file: file, isDuplicate: false))
            try ledger.finish(isComplete: true)
        }
        #expect(try isCredited())
        let next = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json])
        try next.note(planned.wanted, presentAt: "1.jpg") { nil }
        try next.finish(isComplete: true)
        #expect(try !isCredited())
    }

    @Test func whatTheArchiveSaysOfAFileIsNoSighting() throws {
        let planned = try DownloadPlanner().plan(ItemSource("https://a.example").requests(["1"])[0])
        let ledger = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json])
        try Data().write(to: URL(fileURLWithPath: folder.path + "/2.jpg"))
        try ledger.note(planned.wanted, presentAt: "2.jpg") { nil }
        try ledger.write()
        try FileManager.default.removeItem(atPath: folder.path + "/2.jpg")
        try ledger.note(planned.wanted, presentAt: "1.jpg") { nil }
        try ledger.finish(isComplete: true)
        let written = try? String(contentsOfFile: folder.path + "/credits.json", encoding: .utf8)
        #expect(written?.contains(".jpg") != true)
    }
}
