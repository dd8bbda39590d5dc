import Foundation
import ProviderModel
import Testing

@testable import Downloads

@Suite struct CreditFormatTests {
    /// What a format makes of one file's credit.
    private func entry(_ format: CreditFormat, path: String, title: String, page: String) -> String {
        let request = DownloadRequest(try! WebURL("https://a.example/x.jpg"), index: 1)
        var credit = Credit(request, from: request.media)
        (credit.title, credit.author, credit.authorURL) = (title, title, page)
        (credit.source, credit.page, credit.line) = (title, page, title)
        return format.entry(credit, path: path)
    }

    @Test(arguments: [
        "Red fox", "2.5 foxes", "a.b", "www.example.com", "see WwW.example.com", "wwww.x", "w.w", ".www", "ww.", "www.",
        "a \"quoted\" word", "back\\slash", "tab\tand\nline", "Füchse 狐", "a:b", "me@example.com", "a_b*c", "- x",
        "+", "=", "12. x", "12) x", "\u{7f}", "~", "x\u{202E}y", "www . x", String(repeating: "long ", count: 5_000),
    ])
    func textIsWrittenAsIfEachOfItsLettersWereLookedAt(_ text: String) throws {
        let markdown = entry(.markdown, path: "a.jpg", title: text, page: "https://a.example/")
        let escaped = MarkdownCredit.escape(text)
        #expect(
            markdown == """
                - [a.jpg](<a.jpg>): “\(escaped)” by [\(escaped)](<https://a.example/>), [\(escaped)](<https://a.example/>)
                  > \(MarkdownCredit.paragraph(text))

                """)
        struct Entry: Decodable {
            struct Author: Decodable {
                var name: String
            }
            var title: String
            var author: Author
            var attribution: String
        }
        let json = entry(.json, path: "a.jpg", title: text, page: "https://a.example/")
        let found = try JSONDecoder().decode(Entry.self, from: Data(json.utf8))
        #expect([found.title, found.author.name, found.attribution] == [text, text, text])
    }

    @Test(arguments: [
        ("a/b.jpg", "[a/b.jpg](<a/b.jpg>)"), ("www.jpg", #"[www\.jpg](<www.jpg>)"#),
        ("a b.jpg", "[a b.jpg](<a%20b.jpg>)"),
        ("ä/b%.jpg", "[ä/b%.jpg](<%C3%A4/b%25.jpg>)"), ("a:b.jpg", "[a:b.jpg](<a%3Ab.jpg>)"),
    ])
    func pathBecomesALink(_ path: String, _ link: String) throws {
        #expect(
            entry(.markdown, path: path, title: "x", page: "https://a.example/").hasPrefix("- \(link): "))
        struct Entry: Decodable { var path: String }
        let json = entry(.json, path: path, title: "x", page: "https://a.example/")
        #expect(try JSONDecoder().decode(Entry.self, from: Data(json.utf8)).path == path)
    }

    @Test(arguments: [
        ("https://a.example/?a=b&c=d", "https://a.example/?a=b&amp;c=d"),
        ("https://a.example/<>", "https://a.example/%3C%3E"),
        ("https://a.example/ü\u{7f}(x)", "https://a.example/ü(x)"),
    ])
    func destinationEndsWhereItShould(_ page: String, _ destination: String) {
        #expect(entry(.markdown, path: "a.jpg", title: "x", page: page).contains("[x](<\(destination)>)\n"))
    }
}
