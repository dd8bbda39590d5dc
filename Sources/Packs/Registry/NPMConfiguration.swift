import FoundationEssentials
import Glibc
import ProviderModel

/// The settings of `.npmrc` files that say where packs come from, and with which keys.
package struct NPMConfiguration: Sendable {
    private var values: [String: String] = [:]
    /// Settings that could not be used, for the user.
    package private(set) var remarks: [String] = []

    /// No settings.
    package init() {}

    /// The settings of files, the first of which count most; one that does not exist has none.
    package init(files: [String], environment: [String: String]) throws(PackError) {
        for path in files {
            guard access(path, F_OK) == 0 else { continue }
            guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
                throw PackError(.file, "\(path) cannot be read", subject: path)
            }
            var file = NPMConfiguration(text: String(decoding: bytes, as: UTF8.self), environment: environment)
            file.remarks = file.remarks.map { "\(path): \($0)" }
            values.merge(file.values) { first, _ in first }
            remarks += file.remarks
        }
    }

    /// The settings of one file's text: `key = value` lines, `${NAME}` for what the environment says.
    package init(text: String, environment: [String: String]) {
        for line in text.split(whereSeparator: \.isNewline) {
            let trimmed = line.trimmingPrefix { $0.isWhitespace }
            guard let first = trimmed.first, first != "#", first != ";", first != "[",
                let equals = trimmed.firstIndex(of: "=")
            else { continue }
            let key = Self.trimmed(trimmed[..<equals])
            var value = Self.trimmed(trimmed[trimmed.index(after: equals)...])
            if value.count >= 2, value.first == "\"", value.last == "\"" {
                value = String(value.dropFirst().dropLast())
            }
            do throws(MissingVariable) {
                values[try Self.expanded(key, environment)] = try Self.expanded(value, environment)
            } catch {
                remarks.append("\(key) names ${\(error.name)}, which is not set")
            }
        }
    }

    /// The value of a setting.
    subscript(key: String) -> String? { values[key] }

    private struct MissingVariable: Error { let name: String }

    private static func expanded(_ text: String, _ environment: [String: String]) throws(MissingVariable) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            result += rest[..<start.lowerBound]
            var name = String(rest[start.upperBound..<end])
            // npm's `${NAME?}` is nothing where the variable is not set.
            let isOptional = name.hasSuffix("?")
            if isOptional { name.removeLast() }
            guard let value = environment[name] ?? (isOptional ? "" : nil) else { throw MissingVariable(name: name) }
            result += value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
