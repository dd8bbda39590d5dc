import Testing

@Suite("Conditions are sent to the sources that check them")
struct SourceConditionsTests {
    /// What the requests of a search say of the conditions, by provider.
    private static let words: [(provider: String, fragments: [String])] = [
        ("openverse", ["license=by%2Ccc0", "aspect_ratio=wide"]),
        ("flickr", ["license=4%2C9%2C11", "min_taken_date=2026-05-01%2000%3A00%3A00", "tags=-dog"]),
        ("unsplash", ["orientation=landscape"]), ("pexels", ["orientation=landscape", "size=medium"]),
        ("pixabay", ["orientation=horizontal", "min_width=1000"]),
        ("danbooru", ["-dog", "date%3A%3E%3D2026-04-30", "width%3A%3E%3D1000", "ratio%3A%3E%3D1.01"]),
        ("e621", ["-dog", "width%3A%3E%3D1000"]), ("konachan", ["-dog", "date%3A%3E%3D2026-04-30"]),
        ("gelbooru", ["-dog", "width%3A%3E%3D1000"]),
        ("derpibooru", ["-%22dog%22", "width.gte%3A1000", "created_at.gte"]),
        ("europeana", ["reusability=open"]), ("inaturalist", ["photo_license=cc0%2Ccc-by", "d1=2026-05-01"]),
        ("wallhaven", ["ratios=landscape"]),
    ]

    @Test func eachSourceIsAskedInItsWords() throws {
        let options = [
            "--license", "cc0", "--license", "cc-by", "--exclude-tag", "dog", "--since", "2026-05-01", "--aspect",
            "16:9",
            "--min-width",
            "1000", "--min-pixels", "15M",
        ]
        let providers = Self.words.flatMap { ["-p", $0.provider] }
        let run = try CommandRun(["search", "coffee", "--dry-run"] + providers + options)
        let requests = run.output.replacing("+", with: "%20").split(separator: "\n").map(String.init)
        for (provider, fragments) in Self.words {
            let request = requests.first { $0.lowercased().contains(provider) } ?? ""
            for fragment in fragments { #expect(request.contains(fragment), "\(provider): \(fragment) in \(request)") }
        }
    }

    /// Of two licences a source of one gets neither: it might leave out images that were asked for.
    @Test func sourceOfOneLicenceIsAskedForThatAlone() throws {
        let providers = ["-p", "artic", "-p", "cleveland", "-p", "smk", "-p", "smithsonian"]
        let one = try CommandRun(["search", "x", "--dry-run", "--license", "cc0"] + providers).output
        #expect(one.contains("is_public_domain%5D=true"), "\(one)")
        #expect(one.contains("cc0=1") && one.contains("public_domain") && one.contains("CC0"), "\(one)")
        let two = try CommandRun(["search", "x", "--dry-run", "--license", "cc0", "--license", "cc-by"] + providers)
            .output
        #expect(!two.contains("=true") && !two.contains("cc0=1") && !two.contains("CC0"), "\(two)")
    }
}
