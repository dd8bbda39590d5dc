import Foundation
import TestSupport

/// An image of the bench's source, which the conditions of the table leave out for one reason alone, or for none.
struct OptionImage: Sendable {
    let id: String
    var tags = ["cat"]
    var created = "2026-05-02"
    var license = "cc0-1.0"
    var width = 4_000
    var height = 3_000
    var ending = "jpg"
    var isAIGenerated = false

    /// Those that a condition leaves out, then those that are downloaded in some special way, then others.
    static let all =
        leftOut + special.map { OptionImage(id: $0, ending: $0 == "film" ? "mp4" : "jpg") }
        + [
            OptionImage(id: "good"), OptionImage(id: "last"),
            OptionImage(id: "picture", width: 180, height: 160, ending: "png"),
            OptionImage(id: "alike", width: 90, height: 80, ending: "png"),
        ]

    /// Those that are downloaded in some special way.
    static let special = ["film", "big", "twin-a", "twin-b", "flaky", "dead", "silent"]

    /// One for each condition, by the name of the option.
    static let leftOut = [
        OptionImage(id: "license", license: "cc-by-4.0"), OptionImage(id: "min-width", width: 1_900, height: 1_500),
        OptionImage(id: "min-height", width: 4_000, height: 900),
        OptionImage(id: "min-pixels", width: 2_000, height: 1_000),
        OptionImage(id: "aspect", width: 3_000, height: 4_000), OptionImage(id: "exclude-tag", tags: ["cat", "nsfw"]),
        OptionImage(id: "exclude-tags-from", tags: ["cat", "Gore"]),
        OptionImage(id: "tag", tags: ["dog"]), OptionImage(id: "since", created: "2020-01-01"),
        OptionImage(id: "until", created: "2026-06-01"), OptionImage(id: "media-format", ending: "png"),
        OptionImage(id: "filter"), OptionImage(id: "no-ai", isAIGenerated: true),
    ]

    private static let lists = TemporaryFolder()

    /// The path of a list of tags.
    private static let tagList: String = {
        FolderListing.write("# mine\n\ngore\n", to: "\(lists.path)/tags.txt")
        return "\(lists.path)/tags.txt"
    }()

    /// The conditions that leave each of them out.
    static let conditions = [
        "--license", "cc0", "--min-width", "2000", "--min-height", "1000", "--min-pixels", "2100k", "--aspect",
        "landscape",
        "--exclude-tag", "nsfw", "--exclude-tags-from", tagList, "--tag", "cat", "--since", "2026", "--until",
        "2026-05-31", "--media-format",
        "jpeg,mp4",
        "--filter", #"name != "filter""#, "--no-ai",
    ]

    /// The condition that leaves out the image of a name.
    static func condition(of id: String) -> [String] {
        let place = conditions.firstIndex(of: "--\(id)") ?? 0
        return [conditions[place]] + conditions[(place + 1)...].prefix { !$0.hasPrefix("--") }
    }

    /// The smallest film: its brand, an empty table of contents, and two bytes.
    static let film: [UInt8] =
        [0, 0, 0, 12] + Array("ftypisom".utf8) + [0, 0, 0, 8] + Array("moov".utf8) + [0, 0, 0, 10]
        + Array("mdat".utf8) + [1, 2]

    /// The image as the source and a line of a list have it.
    func json(of provider: String, at origin: String) -> String {
        let tags = tags.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"provider":"\(provider)","id":"\(id)","type":"image","title":"A \(id)","description":"one\\ntwo","page":"\(origin)/\(provider)/\(id)",\
            "tags":[\(tags)],"created":"\(created)","license":{"id":"\(license)"},"aiGenerated":\(isAIGenerated),"media":[\
            {"role":"original","url":"\(origin)/files/\(id).\(ending)","width":\(width),"height":\(height)},\
            {"role":"thumbnail","url":"\(origin)/files/\(id)-small.\(ending)","width":100,"height":75}]}
            """
    }

    /// The image as a record of a list in CSV.
    func record(of provider: String, at origin: String) -> String {
        let cells = [
            provider, id, "A \(id)", "\(origin)/\(provider)/\(id)", "", license, created, "\(width)", "\(height)",
            "\(origin)/files/\(id).\(ending)", tags.joined(separator: "; "), "\(isAIGenerated)",
        ]
        return cells.joined(separator: ",") + "\r\n"
    }

    /// The first line of a list in CSV.
    static let header = "provider,id,title,page,author,license,created,width,height,url,tags,aiGenerated\r\n"

    /// What the image's file holds.
    var content: [UInt8] {
        switch id {
        case "film": Self.film
        case "big": FoxSource.image(1, payload: 30_000)
        case "twin-a", "twin-b": FoxSource.image(2)
        case "media-format", "picture": TestPicture.scene(1)
        case "alike": TestPicture.scene(1, width: 90, height: 80, noise: 2)
        default: FoxSource.image(id.utf8.reduce(3) { $0 + Int($1) })
        }
    }
}
