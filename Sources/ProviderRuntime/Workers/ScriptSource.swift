import ProviderModel

/// A provider's file, and the way to the neighbours it may load.
package struct ScriptSource: Sendable {
    /// The file's name in its pack, as errors show it: `pixabay.js`.
    package var file: String
    /// What stands in it.
    package var text: String
    /// Reads a neighbour by its path in the pack; the error says why there is none.
    package var neighbour: @Sendable (String) throws(ModuleNotFound) -> String

    /// A file without neighbours.
    package init(file: String, text: String) {
        self.init(file: file, text: text) { path throws(ModuleNotFound) in
            throw ModuleNotFound("\(path) is not in this pack")
        }
    }

    /// A file in a pack.
    package init(
        file: String, text: String, neighbour: @escaping @Sendable (String) throws(ModuleNotFound) -> String
    ) {
        self.file = file
        self.text = text
        self.neighbour = neighbour
    }
}

/// Why a file that a script asked for cannot be had.
package struct ModuleNotFound: Error {
    /// The reason, as the script's author reads it.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
