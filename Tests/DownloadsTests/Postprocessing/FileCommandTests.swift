import ProviderModel
import Testing

@testable import Downloads

@Suite("A command is split into words, and fields stay in theirs")
struct FileCommandTests {
    private func words(_ text: String, isForShell: Bool = false) throws -> [String] {
        var item = Item(provider: ProviderID("fake")!, id: "7")
        item.title = "It's; rm -rf \"$HOME\" {path}"
        let subject = ItemSubject(item: item, media: nil, provider: item.provider, index: 3)
        return try FileCommand(text, isForShell: isForShell).arguments(
            for: subject, at: "/pictures/a b/7.jpg")
    }

    @Test(arguments: [
        ("ls -l {path}", ["ls", "-l", "/pictures/a b/7.jpg"]),
        ("ls {}  x", ["ls", "/pictures/a b/7.jpg", "x"]),
        ("cp {path} {folder}/{id}.bak", ["cp", "/pictures/a b/7.jpg", "/pictures/a b/7.bak"]),
        (#"echo "a b" 'c "d' e\ f "" "g\"h""#, ["echo", "a b", "c \"d", "e f", "", "g\"h"]),
        ("echo {title}", ["echo", "It's; rm -rf \"$HOME\" {path}"]),
        ("echo x{author.name}y {index}", ["echo", "xy", "3"]),
        ("echo $HOME; true | false", ["echo", "$HOME;", "true", "|", "false"]),
    ])
    func wordsAreThoseOfAShellWithoutItsExpansions(_ text: String, _ expected: [String]) throws {
        #expect(try words(text) == expected)
    }

    @Test func shellGetsQuotedValues() throws {
        #expect(
            try words("echo {title} > {path}.txt", isForShell: true) == [
                "/bin/sh", "-c", #"echo 'It'\''s; rm -rf "$HOME" {path}' > '/pictures/a b/7.jpg'.txt"#,
            ])
    }

    @Test(arguments: [
        ("", "empty (expected a program and its arguments)"),
        ("  ", "empty (expected a program and its arguments)"),
        ("echo 'a", "a quote is not closed"), ("echo {path", "{ without }"),
        ("echo {pathh}", "unknown field \"pathh\""),
        ("echo {titel}", "unknown field \"titel\"; did you mean \"title\"?"),
    ])
    func faultSaysWhatWasFound(_ text: String, _ message: String) {
        let error = #expect(throws: DownloadError.self) { try FileCommand(text) }
        #expect(error?.code == .option)
        #expect(
            error?.message.hasPrefix("invalid command \(text.quoted): \(message)") == true,
            "\(error?.message ?? "")")
    }
}
