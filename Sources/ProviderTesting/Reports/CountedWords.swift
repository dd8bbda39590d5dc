extension Int {
    /// `1 page`, `2 pages`.
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
