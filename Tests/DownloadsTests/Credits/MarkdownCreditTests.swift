import Testing

@testable import Downloads

@Suite struct MarkdownCreditTests {
    @Test(arguments: [
        ("plain words, 2.5 (x)", "plain words, 2.5 (x)"),
        ("[click](https://evil.example)", #"\[click\](https\://evil.example)"#),
        ("<script>alert(1)</script>", #"\<script\>alert(1)\</script\>"#),
        ("a\n\n# Heading", ##"a \# Heading"##), ("`code` *bold* _it_ ~s~ |", #"\`code\` \*bold\* \_it\_ \~s\~ \|"#),
        ("![x](y)", #"\!\[x\](y)"#), ("&lt; &amp;", #"\&lt; \&amp;"#), ("back\\slash", #"back\\slash"#),
        ("www.evil.example, me@evil.example", #"www\.evil.example, me\@evil.example"#),
        ("> quote", #"\> quote"#), ("2.jpg", "2.jpg"),
        ("turned \u{202E}txt.exe", "turned txt.exe"), ("Jürgen 狐 👨‍👩‍👧", "Jürgen 狐 👨‍👩‍👧"),
    ])
    func textOfASourceIsNoMarkup(_ text: String, _ expected: String) {
        #expect(MarkdownCredit.escape(text) == expected)
    }

    @Test(arguments: [("- item", #"\- item"#), ("12. item", #"12\. item"#), ("+ 1", #"\+ 1"#), ("2 foxes", "2 foxes")])
    func lineThatBeginsLikeAListIsNone(_ text: String, _ expected: String) {
        #expect(MarkdownCredit.paragraph(text) == expected)
    }
}
