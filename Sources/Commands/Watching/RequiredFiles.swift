import FoundationEssentials
import ProviderModel

/// The neighbours that a provider's file loads with `require`, and theirs, as far as their names stand in the text.
struct RequiredFiles: Hashable {
    /// Their paths, in the provider's folder.
    private(set) var paths: Set<String> = []

    /// Follows `require` from a file; one that cannot be read requires nothing.
    init(of file: String, in folder: String) {
        var waiting = [file]
        while let next = waiting.popLast() {
            // One that is not there yet requires nothing.
            guard let data = try? Data(contentsOf: URL(filePath: folder.path(to: next))) else { continue }
            for name in Self.names(in: String(decoding: data, as: UTF8.self)) {
                guard let neighbour = Self.resolve(name, from: next),
                    paths.insert(folder.path(to: neighbour)).inserted, paths.count < 64
                else { continue }
                waiting.append(neighbour)
            }
        }
    }

    /// `./theme` of `require('./theme')`.
    static func names(in text: String) -> [String] {
        text.matches(of: /require\(\s*['"`](\.{1,2}\/[^'"`\n]+)['"`]\s*\)/).map { String($0.1) }
    }

    /// `./theme` beside `sites/a.js` is `sites/theme.js`; nil for what leads out of the folder.
    static func resolve(_ name: String, from file: String) -> String? {
        var segments = file.split(separator: "/").dropLast()
        for segment in name.split(separator: "/") where segment != "." {
            if segment == ".." {
                guard segments.popLast() != nil else { return nil }
            } else {
                segments.append(segment)
            }
        }
        let path = segments.joined(separator: "/")
        return path.hasSuffix(".js") ? path : path + ".js"
    }
}
