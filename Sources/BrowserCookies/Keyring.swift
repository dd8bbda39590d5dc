import HTTPTransport
import ProviderModel

/// The desktop's keyring: the Secret Service, asked by libsecret's program, else KWallet, asked by its own.
enum Keyring {
    /// The password by which a browser encrypts its cookies.
    static func password(of browser: Browser, _ environment: [String: String]) throws(TransportError) -> [UInt8] {
        let names = browser.keyringNames
        let words = [
            ["secret-tool", "lookup", "application", names.service],
            [
                "kwallet-query", "--read-password", "\(names.wallet) Safe Storage", "--folder", "\(names.wallet) Keys",
                "kdewallet",
            ],
        ]
        var reasons: [String] = []
        for words in words {
            switch ask(words, environment) {
            case .success(let password): return password
            case .failure(let reason): reasons.append(reason.description)
            }
        }
        throw TransportError(
            .secrets,
            message: "could not decrypt cookies of \(browser.rawValue), whose password is in the desktop's keyring: "
                + reasons.joined(separator: "; "),
            hint: "install libsecret-tools and run this in your desktop session, or export cookies.txt from the browser"
        )
    }

    private struct Reason: Error, CustomStringConvertible {
        let description: String
    }

    private static func ask(_ words: [String], _ environment: [String: String]) -> Result<[UInt8], Reason> {
        let result = ChildProgram.run(
            words, environment: environment.map { "\($0.key)=\($0.value)" }, until: .now + .seconds(60))
        let none = "\(words[0]): no entry for the browser"
        switch result {
        case .output(let text):
            let password = Array((text.last == "\n" ? text.dropLast() : text[...]).utf8)
            // What kwallet-query prints where it has found nothing begins so.
            let isFailure = password.isEmpty || words[0] == "kwallet-query" && text.hasPrefix("Failed to read")
            return isFailure ? .failure(Reason(description: none)) : .success(password)
        case .failed(_, let text):
            let line = text.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
            return .failure(Reason(description: "\(none), or it is locked\(line)"))
        case .notStarted: return .failure(Reason(description: "\(words[0]) was not found"))
        case .timedOut: return .failure(Reason(description: "\(words[0]) did not answer within 60 s"))
        }
    }
}
