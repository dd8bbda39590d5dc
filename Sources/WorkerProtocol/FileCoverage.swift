import ProviderModel

/// How often the parts of one of a provider's files were reached.
package struct FileCoverage: Hashable, Sendable, WireValue {
    /// A line with code on it.
    package struct Line: Hashable, Sendable, WireValue {
        /// From 1.
        package var number: Int
        /// How often it was reached.
        package var count: Int

        package init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }

        package init(from reader: inout ByteReader) throws(WireError) {
            self.init(number: try reader.readInt(), count: try reader.readInt())
        }

        package func write(to writer: inout ByteWriter) {
            writer.write(number)
            writer.write(count)
        }
    }

    /// A function.
    package struct Function: Hashable, Sendable, WireValue {
        /// Its name, or what it is the value of.
        package var name: String
        /// The line it begins on.
        package var line: Int
        /// How often it was called.
        package var count: Int

        package init(name: String, line: Int, count: Int) {
            self.name = name
            self.line = line
            self.count = count
        }

        package init(from reader: inout ByteReader) throws(WireError) {
            self.init(name: try reader.readString(), line: try reader.readInt(), count: try reader.readInt())
        }

        package func write(to writer: inout ByteWriter) {
            writer.write(name)
            writer.write(line)
            writer.write(count)
        }
    }

    /// One of the ways that a condition may go.
    package struct Branch: Hashable, Sendable, WireValue {
        /// The line of the condition.
        package var line: Int
        /// The condition's number in the file; its branches have the same.
        package var condition: Int
        /// How often it went this way.
        package var count: Int

        package init(line: Int, condition: Int, count: Int) {
            self.line = line
            self.condition = condition
            self.count = count
        }

        package init(from reader: inout ByteReader) throws(WireError) {
            self.init(line: try reader.readInt(), condition: try reader.readInt(), count: try reader.readInt())
        }

        package func write(to writer: inout ByteWriter) {
            writer.write(line)
            writer.write(condition)
            writer.write(count)
        }
    }

    /// The file's name in its pack: `pixabay.js`.
    package var file: String
    /// In the file's order.
    package var lines: [Line] = []
    /// In the file's order.
    package var functions: [Function] = []
    /// In the file's order.
    package var branches: [Branch] = []
    /// Why nothing is known of the file: the parser could not read what the engine could.
    package var trouble: String?

    package init(file: String) { self.file = file }

    package init(from reader: inout ByteReader) throws(WireError) {
        file = try reader.readString()
        lines = try reader.readArray()
        functions = try reader.readArray()
        branches = try reader.readArray()
        trouble = try reader.readOptionalString()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(file)
        writer.write(lines)
        writer.write(functions)
        writer.write(branches)
        writer.write(trouble)
    }
}
