/// Violations of one reading that stand for themselves.
///
/// What is wrong inside a value often makes the whole of it wrong, too: of the two only the first is kept.
struct ViolationList {
    /// Nobody mends more at a time.
    private static let limit = 50

    private var all: [ContractViolation] = []

    /// Adds a violation and those that it brings.
    mutating func add(_ violation: ContractViolation) {
        for violation in [violation] + violation.others where all.count < Self.limit {
            var alone = violation
            alone.others = []
            if !all.contains(where: { $0.path.holds(alone.path) || alone.path.holds($0.path) }) { all.append(alone) }
        }
    }

    /// Reads a part; a violation is added, and nothing comes of the part.
    mutating func reading<Value>(_ read: () throws(ScriptFault) -> Value?) throws(ScriptFault) -> Value? {
        do throws(ScriptFault) { return try read() } catch {
            guard case .violation(let violation) = error else { throw error }
            add(violation)
            return nil
        }
    }

    /// Fails with all of them, where there are any.
    func check() throws(ContractViolation) {
        guard var first = all.first else { return }
        first.others = Array(all.dropFirst())
        throw first
    }
}

extension String {
    /// Whether another path is this one or leads further down.
    fileprivate func holds(_ path: String) -> Bool {
        guard path.hasPrefix(self) else { return false }
        return isEmpty || path.count == count || [".", "["].contains(path.dropFirst(count).first)
    }
}
