import HTTPTypes

extension HTTPFields {
    /// The value under a name, several of them joined as the subscript joins them.
    ///
    /// Nearly every name stands in a head once or not at all; then nothing has to be put together, which costs the
    /// subscript more than finding the value.
    package func value(of name: HTTPField.Name) -> String? {
        guard let place = firstIndex(where: { $0.name == name }) else { return nil }
        let isAlone = !self[(place + 1)...].contains { $0.name == name }
        return isAlone ? self[place].value : self[name]
    }
}
