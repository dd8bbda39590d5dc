import ImgScript
import ProviderModel

/// The settings of gallery-dl, each with its outcome here.
struct GalleryDLSettings {
    /// The outcome of a setting.
    enum Outcome: Hashable {
        /// It is a setting here.
        case setting(key: String, values: [String])
        /// It is done in another way, which the text names.
        case otherwise(String)
        /// There is nothing of the kind.
        case nothing(String)
    }

    /// A setting by its path in the file, and what becomes of it.
    struct Line: Hashable {
        let path: String
        let outcome: Outcome
    }

    /// Every setting of the file, in its order.
    private(set) var lines: [Line] = []
    /// The archives that it names.
    private(set) var archives: [String] = []

    /// The folder of all downloads, where one is set.
    var folder: String? {
        lines.lazy.compactMap { line in
            if case .setting("directory", let values) = line.outcome { values.first } else { nil }
        }.first
    }

    private let isInstalled: (String) -> Bool

    /// Sites that have another name here.
    private static let otherNames = ["wikimediacommons": "commons", "philomena": "derpibooru", "booru": "danbooru"]

    /// Takes a file's value; `isInstalled` says whether there is a provider of a name.
    init(_ root: JSONValue, isInstalled: @escaping (String) -> Bool) {
        self.isInstalled = isInstalled
        for member in root.members ?? [] where !Self.isComment(member) {
            switch member.name {
            case "extractor": takeExtractors(member.value)
            case "downloader": takeDownloaders(member.value, at: "downloader")
            default: tell("\(member.name)", .nothing(Self.reasons[member.name] ?? "no such setting"), in: member.value)
            }
        }
    }

    private static func isComment(_ member: JSONValue.Member) -> Bool { member.name.hasPrefix("#") }

    // MARK: Sites

    private mutating func takeExtractors(_ json: JSONValue) {
        take(json, at: "extractor", of: nil)
        for member in json.members ?? [] where !Self.isComment(member) {
            guard member.value.members != nil, Rules.table[member.name] == nil else { continue }
            let provider = Self.otherNames[member.name] ?? member.name
            let path = "extractor.\(member.name)"
            if isInstalled(provider) {
                take(member.value, at: path, of: provider)
            } else {
                lines.append(Line(path: path, outcome: .nothing("no provider has this name")))
            }
        }
    }

    /// The settings of one object: of all sites, or of one.
    private mutating func take(_ json: JSONValue, at path: String, of provider: String?) {
        let members = (json.members ?? []).filter { !Self.isComment($0) }
        takeNames(members, at: path, of: provider)
        for member in members where !["filename", "directory"].contains(member.name) {
            let place = "\(path).\(member.name)"
            if let rule = Rules.table[member.name] {
                let outcome = rule(member.value, Rules.Place(provider: provider))
                for outcome in outcome { lines.append(Line(path: place, outcome: Self.bound(outcome, to: provider))) }
                if member.name == "archive", let file = member.value.textValue { archives.append(file) }
            } else if provider != nil || member.value.members == nil {
                let reason =
                    member.value.members == nil
                    ? "no such setting" : "no settings for a part of a site; --profile holds sets of options"
                lines.append(Line(path: place, outcome: .nothing(reason)))
            }
        }
    }

    private mutating func takeNames(_ members: [JSONValue.Member], at path: String, of provider: String?) {
        let filename = members.first { $0.name == "filename" }?.value
        let directory = members.first { $0.name == "directory" }?.value
        guard filename != nil || directory != nil else { return }
        let place = [filename.map { _ in "filename" }, directory.map { _ in "directory" }].compactMap(\.self)
        let paths = place.map { "\(path).\($0)" }.joined(separator: ", ")
        guard filename?.members == nil, directory?.members == nil else {
            lines.append(Line(path: paths, outcome: .nothing("no names that depend on a condition")))
            return
        }
        let folders = directory?.elements?.compactMap(\.textValue) ?? ["{category}"]
        do throws(GalleryDLTemplate.Fault) {
            let name = try GalleryDLTemplate.name(
                directory: folders, filename: filename?.textValue ?? "{id}_{title[:60]}.{extension}")
            guard provider == nil else {
                lines.append(Line(path: paths, outcome: .otherwise("--name '\(name)' with this provider")))
                return
            }
            lines.append(Line(path: paths, outcome: .setting(key: "name", values: [name])))
        } catch { lines.append(Line(path: paths, outcome: .nothing("\(error)"))) }
    }

    /// The outcome for one provider, where a setting may be of one.
    private static func bound(_ outcome: Outcome, to provider: String?) -> Outcome {
        guard let provider, case .setting(let key, let values) = outcome else { return outcome }
        guard SettingsTable.perProvider.contains(key) else {
            return .otherwise(
                "--\(key)\(values == ["true"] ? "" : " \(values.joined(separator: " "))") with this provider")
        }
        return .setting(key: "providers.\(provider).\(key)", values: values)
    }

    // MARK: Downloads

    private mutating func takeDownloaders(_ json: JSONValue, at path: String) {
        for member in json.members ?? [] where !Self.isComment(member) {
            let place = "\(path).\(member.name)"
            if path == "downloader", member.name == "http", member.value.members != nil {
                takeDownloaders(member.value, at: place)
            } else if path == "downloader", member.value.members != nil {
                lines.append(Line(path: place, outcome: .nothing("files are fetched by HTTP alone")))
            } else if let rule = Rules.table[member.name] {
                for outcome in rule(member.value, Rules.Place(provider: nil)) {
                    lines.append(Line(path: place, outcome: outcome))
                }
            } else {
                lines.append(Line(path: place, outcome: .nothing("no such setting")))
            }
        }
    }

    /// Every setting below a path with the same outcome.
    private mutating func tell(_ path: String, _ outcome: Outcome, in json: JSONValue) {
        guard let members = json.members, !members.isEmpty else {
            lines.append(Line(path: path, outcome: outcome))
            return
        }
        for member in members where !Self.isComment(member) {
            lines.append(Line(path: "\(path).\(member.name)", outcome: outcome))
        }
    }

    private static let reasons = [
        "output": "the output is chosen by --progress, --quiet and --format",
        "postprocessor": "postprocessors have no names; see those of extractor",
        "cache": "imgscript cache shows its own",
        "subconfigs": "settings are one file with profiles: imgscript config path",
    ]
}
