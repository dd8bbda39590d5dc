import FoundationEssentials
import ProviderModel

/// The parser that finds what can be counted in a provider's file: acorn (https://github.com/acornjs/acorn), which runs
/// in the sandbox of the script.
///
/// It is found where it is installed; imgscript ships no copy.
package struct CoverageParser: Sendable {
    /// Where Debian's node-acorn, npm and a system-wide npm put it.
    package static let usualPaths = [
        "/usr/share/nodejs/acorn/dist/acorn.js", "/usr/local/lib/node_modules/acorn/dist/acorn.js",
        "/usr/lib/node_modules/acorn/dist/acorn.js",
    ]

    /// Where it lies.
    package let path: String
    /// Its text.
    package let text: String

    /// The largest file that is taken for a parser; acorn is a quarter of it.
    private static let sizeLimit = 1 << 20

    /// Finds the parser in the first of these places that has it.
    package init(in paths: [String] = usualPaths) throws(ProviderError) {
        for path in paths where FileManager.default.fileExists(atPath: path) {
            guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.sizeLimit,
                let text = String(validating: data, as: UTF8.self), text.contains("acorn")
            else {
                throw ProviderError(
                    .unsupported, provider: "",
                    message: "\(path) cannot be used: expected the parser acorn, a text of at most 1 MB",
                    hint: "apt install --reinstall node-acorn")
            }
            (self.path, self.text) = (path, text)
            return
        }
        throw ProviderError(
            .unsupported, provider: "", message: "coverage needs the parser acorn, which is not installed",
            hint: "apt install node-acorn, or npm install --global acorn")
    }
}
