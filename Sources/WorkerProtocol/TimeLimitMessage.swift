/// What is said of a script that ran too long, whichever side stopped it.
package struct TimeLimitMessage: CustomStringConvertible {
    package let description: String

    package init(milliseconds: Int) {
        let isWhole = milliseconds.isMultiple(of: 1_000)
        let time = isWhole ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
        description = "ran longer than \(time) and was stopped"
    }
}
