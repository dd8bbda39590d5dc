import ImgScript
import ProviderModel

extension GalleryDLSettings {
    /// The outcome of each of gallery-dl's settings, by its name.
    enum Rules {
        /// The part of the file that a setting is in: a site's, or that of all.
        struct Place {
            let provider: String?
        }

        typealias Rule = @Sendable (JSONValue, Place) -> [Outcome]

        static let table: [String: Rule] = [
            // Folders and names.
            "base-directory": text("directory"),
            "archive": { value, _ in
                value.textValue.map { [.otherwise("its entries are imported from \($0)")] } ?? []
            },
            "archive-format": told("entries of another form are not read"),
            "archive-prefix": told("entries of another form are not read"),
            "skip": { skip($0, $1) },
            "path-restrict": none("names are valid on every file system"),
            "path-replace": none("names are valid on every file system"),
            "path-remove": none("names are valid on every file system"),
            "keywords": told("a text stands in --name as it is, or as {field|'text'}"),

            // Which images.
            "image-range": told("--range 2-5,8, for each run"),
            "file-range": told("--range 2-5,8, for each run"),
            "post-range": told("--range 2-5,8, for each run"),
            "chapter-range": told("--range 2-5,8, for each run"),
            "image-filter": { expression($0, $1) }, "file-filter": { expression($0, $1) },
            "post-filter": { expression($0, $1) },
            "date-after": text("since"), "date-before": text("until"),
            "tags-blacklist": list("exclude-tag"),
            "image-unique": none("an image comes once in each listing"),
            "file-unique": none("an image comes once in each listing"),
            "videos": flag(true: "media", ["image,animation,video"], false: "media", ["image,animation"]),
            "include": { value, _ in
                let lists = value.elements?.compactMap(\.textValue) ?? value.textValue.map { [$0] } ?? []
                return [.setting(key: "param.include", values: [lists.joined(separator: ",")])]
            },

            // Requests.
            "proxy": text("proxy"),
            "proxy-env": none("the environment's proxies are used, unless proxy is set"),
            "retries": { value, _ in
                // There: how often to try again, and -1 for ever.
                [
                    value.integerValue.map { .setting(key: "retries", values: ["\($0 < 0 ? 10 : min($0, 10))"]) }
                        ?? .nothing("found \(value.kind)")
                ]
            },
            "timeout": { value, _ in
                guard case .number(let literal) = value, let seconds = Double(literal) else {
                    return [.nothing("found \(value.kind)")]
                }
                return [.setting(key: "timeout", values: ["\(max(1, Int(seconds.rounded(.up))))"])]
            },
            "verify": { value, _ in
                if let path = value.textValue { return [.setting(key: "ca-file", values: [path])] }
                let reason = "certificates are always checked; --ca-file trusts more"
                return value == .boolean(false) ? [.nothing(reason)] : []
            },
            "sleep-request": none("each provider keeps the rate that its source asks for"),
            "sleep": none("each provider keeps the rate that its source asks for; --max-rate limits files"),
            "sleep-extractor": none("each provider keeps the rate that its source asks for"),
            "sleep-429": none("a server's Retry-After is kept"),
            "user-agent": told("--contact adds an address; --header 'User-Agent: …' for files named by URL"),
            "browser": none("no program pretends to be a browser"),
            "headers": told("--header 'NAME: VALUE' for files named by URL; a provider sets its own"),
            "referer": told("--header 'Referer: URL' for files named by URL; a provider sets its own"),
            "api-server": text("instance"), "root": text("instance"),
            "rate": text("max-rate"), "filesize-max": text("max-file"), "part": none("parts are always kept"),
            "mtime": flag(true: "mtime", ["server"], false: "mtime", ["download"]),
            "chunk-size": none("files are written as they come"),

            // Logins.
            "cookies": { cookies($0, $1) },
            "cookies-update": flag(true: "update-cookies", ["true"], false: nil, []),
            "username": login, "password": login, "api-key": login, "api-secret": login, "access-token": login,
            "access-token-secret": login, "refresh-token": login, "client-id": login, "client-secret": login,
            "user-id": login,
            "netrc": told("imgscript auth set PROVIDER stores a login"),

            // After each file.
            "postprocessors": { value, _ in
                (value.elements ?? [value]).flatMap { postprocessor($0) }
            },
            "write-pages": told("--save-response FILE writes the response that fails"),
        ]

        // MARK: Kinds of rules

        private static func text(_ key: String) -> Rule {
            { value, _ in
                switch value {
                case .text(let text): [.setting(key: key, values: [text])]
                case .number(let literal): [.setting(key: key, values: [literal])]
                case .null: []
                default: [.nothing("found \(value.kind) (expected one value)")]
                }
            }
        }

        private static func list(_ key: String) -> Rule {
            { value, _ in
                let texts = value.elements?.compactMap(\.textValue) ?? value.textValue.map { [$0] } ?? []
                return texts.isEmpty ? [] : [.setting(key: key, values: texts)]
            }
        }

        private static func flag(
            true yes: String, _ values: [String], false no: String?, _ others: [String]
        ) -> Rule {
            { value, _ in
                switch value {
                case .boolean(false): no.map { [.setting(key: $0, values: others)] } ?? []
                case .null: []
                default: [.setting(key: yes, values: values)]
                }
            }
        }

        private static func told(_ text: String) -> Rule { { _, _ in [.otherwise(text)] } }
        private static func none(_ reason: String) -> Rule { { _, _ in [.nothing(reason)] } }

        // MARK: Single rules

        private static func skip(_ value: JSONValue, _: Place) -> [Outcome] {
            switch value {
            case .boolean(true): []
            case .boolean(false): [.setting(key: "no-archive", values: ["true"])]
            default:
                if let match = value.textValue?.wholeMatch(of: /(?:abort|exit|terminate)(?::([0-9]+))?/) {
                    [.setting(key: "abort-after", values: [match.1.map(String.init) ?? "1"])]
                } else {
                    [.nothing("two files of one name get two names")]
                }
            }
        }

        private static func expression(_ value: JSONValue, _: Place) -> [Outcome] {
            guard let text = value.textValue else { return [.nothing("found \(value.kind)")] }
            let written = text.replacing("==", with: "=")
            do throws(FilterExpression.Fault) {
                _ = try FilterExpression(written)
                return [.setting(key: "filter", values: [written])]
            } catch { return [.otherwise("--filter 'width >= 2000' has expressions of its own, not Python's")] }
        }

        private static func cookies(_ value: JSONValue, _: Place) -> [Outcome] {
            if let path = value.textValue { return [.setting(key: "cookies", values: [path])] }
            if let browser = value.elements?.first?.textValue {
                let parts = value.elements?.dropFirst().map { $0.textValue ?? "" } ?? []
                let profile = parts.first.flatMap { $0.isEmpty ? nil : ":\($0)" } ?? ""
                let container = parts.dropFirst(2).first.flatMap { $0.isEmpty ? nil : "::\($0)" } ?? ""
                return [.setting(key: "cookies-from-browser", values: [browser.lowercased() + profile + container])]
            }
            return value == .null ? [] : [.otherwise("--cookies FILE takes cookies.txt, or JSON")]
        }

        /// A login, of which the secret itself is shown nowhere and copied nowhere.
        private static let login: Rule = { _, place in
            [.otherwise("imgscript auth set \(place.provider ?? "PROVIDER")")]
        }

        private static func postprocessor(_ value: JSONValue) -> [Outcome] {
            switch value["name"]?.textValue ?? value.textValue {
            case "metadata":
                [.setting(key: "sidecar", values: [value["mode"]?.textValue == "tags" ? "tags" : "json"])]
            case "zip": [.setting(key: value["extension"]?.textValue == "cbz" ? "cbz" : "zip", values: ["true"])]
            case "exec": [.otherwise("--exec 'COMMAND {path}', --exec-shell for a script, --exec-after for the end")]
            case "mtime": [.otherwise("--mtime created")]
            case "hash": [.otherwise("--sidecar json has the SHA-256 of each file")]
            case "ugoira": [.otherwise("an animation of single images is saved as a ZIP archive with its durations")]
            case let name: [.nothing("no postprocessor \((name ?? value.kind).quoted)")]
            }
        }
    }
}
