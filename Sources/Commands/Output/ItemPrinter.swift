import ProviderModel

/// Shows items one by one, as they come.
///
/// What is written waits in the sink until whoever prints flushes it.
protocol ItemPrinter {
    /// Shows one more item.
    mutating func print(_ item: Item) throws

    /// Writes what ends the output, and all that waits in a buffer.
    mutating func finish() throws
}
