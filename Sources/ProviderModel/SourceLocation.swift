/// A place in a provider file.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file's name relative to its pack: `pixabay.js`.
    public var file: String
    /// 1-based; 0 when unknown.
    public var line: Int
    /// 1-based; 0 when unknown.
    public var column: Int

    /// A place in `file`.
    public init(file: String, line: Int = 0, column: Int = 0) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `pixabay.js:41:9`, shorter where line or column is unknown.
    public var description: String {
        line == 0 ? file : column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
    }
}
