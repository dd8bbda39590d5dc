import HTTPTypes

extension HTTPFields {
    /// The value under a name, several of them joined as the subscript joins them.
    ///
    /// Nearly every name stands in a head once or not at all; then nothing has to be put together, which costs the
    /// subscript more than finding the value.
    package func value(of name: HTTPField.Name) -> String? {
        let length = name.rawName.utf8.count
        // Most names differ in their length already, which is known.
        func isWanted(_ field: HTTPField) -> Bool { field.name.rawName.utf8.count == length && field.name == name }
        guard let place = firstIndex(where: isWanted) else { return nil }
        let isAlone = !self[(place + 1)...].contains(where: isWanted)
        return isAlone ? self[place].value : self[name]
    }
}
