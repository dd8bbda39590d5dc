import ProviderModel
import Testing

@testable import Downloads

@Suite struct NameTemplateTests {
    @Test(arguments: [
        ("{provider}/{id}-{title:slug:60}.{ext}", "example/abc-red-fox-at-dawn"),
        ("{id}", "abc"),
        ("{index:04}-{id}.{ext}", "0007-abc"),
        ("{created:yyyy-MM}/{id}", "2024-05/abc"),
        ("{created:yyyyMMdd_HHmmss}", "20240506_070809"),
        ("{created:yyyy}/{created:MM}/{created:dd}/{id}", "2024/05/06/abc"),
        ("{description|title}", "Red fox, at dawn"),
        ("{description|'none'}", "none"),
        ("{title:upper}", "RED FOX, AT DAWN"), ("{title:lower:7}", "red fox"), ("{title:10}", "Red fox"),
        ("{author.name}/{author.id}", "Jean Exemple/u7"),
        ("{width}x{height}", "4000x3000"), ("{media.original.width}", "4000"), ("{media.0.role}", "original"),
        ("{stats.likes}", "42"), ("{tags}", "fox; dawn"), ("{role}", "original"),
        ("{name}@{host}", "file@cdn.example.com"),
        ("{id}-{location}", "abc"), ("{location}/{id}", "unknown/abc"), ("plain", "plain"),
    ])
    func templatesAreFilled(_ template: String, _ path: String) throws {
        let item = Item.invented()
        let subject = ItemSubject(item: item, media: item.media[0], provider: item.provider, index: 7)
        let name = try NameTemplate(template).name(of: subject)
        #expect((name.folders + [name.stem]).joined(separator: "/") == path)
    }

    @Test(arguments: [
        ("/etc/{id}", "below the folder"), ("../{id}", "leads out"), ("a/./{id}", "leads out"), ("{id}/", "empty name"),
        ("a//{id}", "empty name"), ("{nonsense}", "unknown field \"nonsense\" (expected provider"),
        ("{title:shout}", "unknown filter \"shout\" (expected slug"),
        ("{ext}-{id}", "at the end"), ("{id", "without \"}\""), ("", "empty name"),
    ])
    func templatesThatCannotWorkAreRefused(_ template: String, _ message: String) {
        let error = #expect(throws: DownloadError.self) { try NameTemplate(template) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["../../../etc/passwd", "/etc/passwd", "..", "a/../../b", "\0", "-rf /", "con"])
    func valuesNeverLeadOutOfTheirFolder(_ text: String) throws {
        let item = Item.invented(id: text, title: text)
        let subject = ItemSubject(item: item, media: item.media[0], provider: item.provider, index: 1)
        let name = try NameTemplate("{title}/{id}").name(of: subject)
        #expect(name.folders.count == 1)
        for part in name.folders + [name.stem] {
            #expect(!part.contains("/") && !part.hasPrefix(".") && !part.hasPrefix("-") && !part.contains("\0"))
        }
    }

    /// A suffix that nothing needs is noise in every name.
    @Test(arguments: [
        ("{title}-{id}", "abc", false), ("{title|id}", "a/b", false), ("{index:03}-{title:10}", "a/b", false),
        ("{id}", "a/b", true), ("{description|id}", "a/b", true), ("{title}/{id}", "a:b", true),
        ("{title}{title}{title}{title}-{id}", String(repeating: "x", count: 230), true), ("{id}", "abc", false),
        // Cut off, and in the title by chance.
        (String(repeating: "{title}", count: 14) + "-{id}", "fox", true),
    ])
    func onlyIDsThatCannotStandInANameAreReportedApart(_ template: String, _ id: String, isAltered: Bool) throws {
        let item = Item.invented(id: id, title: "a red fox / at \"dawn\"")
        let subject = ItemSubject(item: item, media: item.media[0], provider: item.provider, index: 1)
        #expect(try NameTemplate(template).name(of: subject).hasAlteredIdentity == isAltered)
    }

    @Test func bareURLIsNamedAfterHostAndFile() throws {
        let url = try WebURL("https://img.example/a/My%20Cat.final.PNG?w=100")
        let request = DownloadRequest(url, index: 1)
        let plan = NameTemplate.default.plan(request)
        #expect(plan.path == "img.example/My Cat.final.png")
        #expect(plan.key.description == "url:https://img.example/a/My%20Cat.final.PNG?w=100")
    }
}
