import Glibc
import Packs

/// A question that is answered with yes or no before anything is changed.
enum Confirmation {
    /// Asks at the terminal; where nobody sits at one, `--yes` has to say it.
    static func ask(_ question: String, isGiven: Bool, _ status: StatusLine) throws {
        if isGiven { return }
        // The output too: what is agreed to stands there.
        guard [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy({ isatty($0) == 1 }) else {
            throw PackError(
                .permission, "nothing was changed: nobody is at a terminal to be asked “\(question)”",
                hint: "look at what it asks for, and pass --yes if you agree")
        }
        let bytes = Array("\(question) [y/N] ".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        let answer = readLine(strippingNewline: true)
        // Where the input ends, as by Ctrl-D, the line has not.
        if answer == nil { _ = write(STDERR_FILENO, "\n", 1) }
        let word = answer?.lowercased().filter { !$0.isWhitespace }
        guard word == "y" || word == "yes" else {
            status.note("nothing was changed")
            throw ExitStatus.failure
        }
    }
}
