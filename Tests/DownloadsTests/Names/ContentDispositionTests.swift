import Testing

@testable import Downloads

/// Names in `Content-Disposition`: RFC 6266 §5 and its kin, and what servers write besides, which browsers and curl take.
@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            // Tokens and quoted strings.
            (#"attachment; filename=fox.png"#, "fox.png"),
            (#"attachment; filename="fox.png""#, "fox.png"),
            (#"ATTACHMENT; FILENAME="fox.png""#, "fox.png"),
            (#"attachment;filename="fox.png""#, "fox.png"),
            (#"attachment ; filename = "fox.png" ; size=3"#, "fox.png"),
            (#"attachment; size=3; filename=fox.png; handling=optional"#, "fox.png"),
            (#"attachment; filename="a;b.png"; size=3"#, "a;b.png"),
            (#"attachment; filename="a \"red\" fox.png""#, #"a "red" fox.png"#),
            (#"attachment; filename="a=b.png""#, "a=b.png"),
            (#"inline; filename="fox.png""#, "fox.png"),
            (#"attachment; filename="füchse.png""#, "füchse.png"),
            (#"attachment; filename="fox%20one.png""#, "fox%20one.png"),
            (#"attachment; filename="fox.tar.gz""#, "fox.tar.gz"),
            // Names of other parameters that end alike are other parameters.
            (#"attachment; xfilename="no.png"; filename=fox.png"#, "fox.png"),
            (#"attachment; filename-part="no.png"; filename=fox.png"#, "fox.png"),
            // Extended values win (RFC 6266 §4.3), wherever they stand.
            (#"attachment; filename="x.png"; filename*=UTF-8''%e2%82%ac%20rates.png"#, "€ rates.png"),
            (#"attachment; filename*=UTF-8''%E3%83%86%E3%82%B9%E3%83%88.png; filename="x.png""#, "テスト.png"),
            (#"attachment; filename*=utf-8'en'fox.png"#, "fox.png"),
            (#"attachment; filename*=iso-8859-1'de'f%FCchse.png"#, "füchse.png"),
            (#"attachment; filename*="UTF-8''f%C3%BCchse.png""#, "füchse.png"),
            (#"attachment; filename*=UTF-8''it's.png"#, "it's.png"),
            // Extended values that cannot be read leave the plain one.
            (#"attachment; filename="x.png"; filename*=UTF-8''%e"#, "x.png"),
            (#"attachment; filename="x.png"; filename*=UTF-8''%fc.png"#, "x.png"),
            (#"attachment; filename="x.png"; filename*=UTF-16''%00x"#, "x.png"),
            (#"attachment; filename="x.png"; filename*=fox.png"#, "x.png"),
            // In pieces (RFC 2231), as mail has it.
            (#"attachment; filename*0="red "; filename*1="fox.png""#, "red fox.png"),
            (#"attachment; filename*1="fox.png"; filename*0="red ""#, "red fox.png"),
            (#"attachment; filename*0*=UTF-8''f%C3%BC; filename*1*=chse%20; filename*2="50%.png""#, "füchse 50%.png"),
            (#"attachment; filename*1="fox.png"; filename="x.png""#, "x.png"),
            // Encoded words (RFC 2047).
            (#"attachment; filename="=?UTF-8?B?ZsO8Y2hzZS5wbmc=?=""#, "füchse.png"),
            (#"attachment; filename="=?utf-8?q?f=C3=BCchse_eins.png?=""#, "füchse eins.png"),
            (#"attachment; filename="=?ISO-8859-1?Q?f=FC?= =?ISO-8859-1?Q?chse.png?=""#, "füchse.png"),
            (#"attachment; filename="=?x?y.png""#, "=?x?y.png"),
            // Without the rules.
            (#"filename=fox.png"#, "fox.png"),
            (#"attachment; filename=red fox.png"#, "red fox.png"),
            (#"attachment; filename='red fox.png'"#, "red fox.png"),
            (#"attachment; filename="fox.png"#, "fox.png"),
            (#"attachment; filename="fox.png" trailing"#, "fox.png"),
            (#"attachment; filename=fox.png; filename=other.png"#, "fox.png"),
            (#"attachment;;filename=fox.png;"#, "fox.png"),
            // Folders are none of the server's business.
            (#"attachment; filename="/etc/fox.png""#, "fox.png"),
            (#"attachment; filename="../../fox.png""#, "fox.png"),
            (#"attachment; filename="C:\pictures\fox.png""#, "fox.png"),
            (#"attachment; filename*=UTF-8''..%2f..%2Ffox.png"#, "fox.png"),
            (#"attachment; filename*=UTF-8''a%5Cfox.png"#, "fox.png"),
        ] as [(String, String)])
    func nameIsRead(value: String, name: String) {
        #expect(ContentDisposition(value).fileName == name)
    }

    @Test(arguments: [
        "", "attachment", "inline; size=3", "attachment; filename=", "attachment; filename=\"\"",
        "attachment; filename=..", "attachment; filename=\"/\"", "attachment; filename=\"a/..\"",
        "attachment; filename*=UTF-8''", "attachment; filename", "attachment; filename=\"f\u{FFFD}chse.png\"",
        "attachment filename=fox.png", "=", ";", "\"", "filename*0*=x",
    ])
    func valueWithoutANameGivesNone(value: String) { #expect(ContentDisposition(value).fileName == nil) }

    @Test(arguments: [("fox.png", "fox"), ("fox", "fox"), (".fox", ".fox"), ("fox.tar.gz", "fox.tar")])
    func endingIsNoPartOfTheStem(name: String, stem: String) {
        #expect(ContentDisposition("attachment; filename=\(name)").stem == stem)
    }
}
