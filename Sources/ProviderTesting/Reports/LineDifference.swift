/// Two texts line by line, with `-` before what is only in the first and `+` before what is only in the second.
package struct LineDifference: Hashable, Sendable {
    /// The lines with their signs; long runs that both have are left out.
    package let text: String

    /// Compares two texts.
    package init(from before: String, to after: String, context: Int = 3) {
        let old = before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let new = after.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let changes = new.difference(from: old)
        var removed: Set<Int> = [], inserted: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [String] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                lines.append("-\(old[left])")
                left += 1
            } else if inserted.contains(right) {
                lines.append("+\(new[right])")
                right += 1
            } else {
                lines.append(" \(old[left])")
                left += 1
                right += 1
            }
        }
        text = Self.folded(lines, context: context).joined(separator: "\n")
    }

    private static func folded(_ lines: [String], context: Int) -> [String] {
        let changed = lines.indices.filter { !lines[$0].hasPrefix(" ") }
        var kept = Set<Int>()
        for index in changed {
            for near in max(0, index - context)...min(lines.count - 1, index + context) { kept.insert(near) }
        }
        var result: [String] = []
        for index in lines.indices {
            if kept.contains(index) {
                result.append(lines[index])
            } else if index == 0 || kept.contains(index - 1) {
                result.append(" …")
            }
        }
        return result
    }
}
