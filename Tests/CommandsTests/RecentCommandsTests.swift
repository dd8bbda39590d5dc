import Foundation
import TestSupport
import Testing

@testable import Commands

struct RecentCommandsTests {
    private let folder = TemporaryFolder()

    private func command(_ arguments: String...) -> RecentCommands {
        RecentCommands(folder: folder.path, arguments: arguments)
    }

    @Test func whatWasAskedBeforeIsKnown() {
        #expect(!command("search", "tea").containThisOne)
        command("search", "tea").remember()
        #expect(command("search", "tea").containThisOne)
        #expect(!command("search", "coffee").containThisOne)
    }

    @Test func wordsAreToldApartFromOneWordWithASpace() {
        command("search", "red", "fox").remember()
        #expect(!command("search", "red fox").containThisOne)
        #expect(!command("searchred", "fox").containThisOne)
    }

    @Test func onlyTheLatestAreKept() {
        for number in 0..<515 { command("\(number)").remember() }
        #expect(!command("2").containThisOne)
        #expect(command("3").containThisOne && command("514").containThisOne)
    }

    @Test func whatCannotBeReadOrWrittenKnowsNothing() throws {
        let nowhere = RecentCommands(folder: folder.path + "/none", arguments: ["a"])
        nowhere.remember()
        #expect(!nowhere.containThisOne)
        try "short".write(toFile: folder.path + "/recent-commands", atomically: true, encoding: .utf8)
        #expect(!command("a").containThisOne)
    }
}
