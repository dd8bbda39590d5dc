import Foundation
import ProviderRuntime
import TestSupport
import Testing

/// What the completion scripts offer, in the shells themselves, where they are installed.
@Suite(.serialized)
struct CompletionTests {
    /// A command line whose last word has one completion.
    struct Line: CustomTestStringConvertible {
        let typed: String
        let completed: String
        var testDescription: String { typed }

        /// What stands before the word that is completed.
        var words: String { typed.split(separator: " ").dropLast().joined(separator: " ") }

        init(_ typed: String, _ completed: String) { (self.typed, self.completed) = (typed, completed) }
    }

    static let lines = [
        Line("search -p inatu", "inaturalist"), Line("search --provider al", "all"),
        Line("search -p @bo", "@both"), Line("download -p @bo", "@both"),
        Line("search --media-format jp", "jpeg"), Line("search --exclude-t", "--exclude-tag"),
        Line("download --cookies lis", "list.txt"), Line("auth set --cookies-from-browser fire", "firefox"),
        Line("download --sidecar tag", "tags"), Line("download --convert av", "avif"),
        Line("download --near-duplicates rep", "report"), Line("download --cb", "--cbz"),
        Line("watch add --max-s", "--max-side"),
        Line("auth set inatu", "inaturalist"),
        Line("providers info inatu", "inaturalist"), Line("search -f tab", "table"),
        Line("test --reporter jun", "junit"),
        Line("download -p inatu", "inaturalist"), Line("search --providers-folder mine -p ow", "own"),
        Line("search --ca-file certificates/aut", "certificates/authority.pem"),
        Line("providers check mine/ow", "mine/own.js"), Line("download -i lis", "list.txt"),
        Line("gallery -p inatu", "inaturalist"), Line("serve --token-file lis", "list.txt"),
        Line("browse -p inatu", "inaturalist"), Line("search --preview-format kit", "kitty"),
        Line("browse --preview-f", "--preview-format"), Line("search --sel", "--select"),
        Line("search --conn", "--connect-timeout"), Line("search --prox", "--proxy"),
        Line("download --prox", "--proxy"), Line("show --prox", "--proxy"),
        Line("cache clear --of inatu", "inaturalist"), Line("show inatu", "inaturalist:"),
        Line("pack remove boa", "boards"), Line("pack update boa", "boards"), Line("pack rollback boa", "boards"),
        Line("pack verify boa", "boards"), Line("pack verify other-", "other-1.0.0.tgz"),
        Line("pack remove @ann", "@anna/own"), Line("pack install oth", "other-1.0.0.tgz"),
    ]

    @Test(.enabled(if: has("bash") && has("script") && hasBashCompletion), arguments: lines)
    func bashCompletes(line: Line) throws {
        #expect(try Self.bash.get()[line.typed] == ["\(line.words) \(line.completed)"])
    }

    @Test(.enabled(if: has("zsh")), arguments: lines)
    func zshCompletes(line: Line) throws {
        #expect(try Self.zsh.get()[line.typed] == ["\(line.words) \(line.completed)"])
    }

    @Test(.enabled(if: has("fish") && has("script")), arguments: lines)
    func fishCompletes(line: Line) throws {
        // A description may follow a tab.
        let words = try Self.fish.get()[line.typed, default: []].map { String($0.prefix { $0 != "\t" }) }
        #expect(words.contains(line.completed) && words.allSatisfy { $0.hasPrefix(line.completed) }, "\(words)")
    }

    /// Without it `@` parts words, and groups do not complete.
    private static let bashCompletion = "/usr/share/bash-completion/bash_completion"
    private static var hasBashCompletion: Bool { FileManager.default.fileExists(atPath: bashCompletion) }

    // Typed at a prompt, with a tab behind; the completed line is accepted, and its command writes it.
    private static let bash = Result {
        try offers(
            """
            cat >rc <<'END'
            source \(bashCompletion)
            source <(command imgscript --generate-completion-script bash)
            imgscript() { [[ $1 == ---completion ]] && command imgscript "$@" || printf '%s\\n==\\n' "$*" >>offered; }
            END
            { sed 's/.*/imgscript &\\t/' lines; echo exit; } \\
                | script -qec 'bash --noprofile --rcfile rc -i' /dev/null
            """, by: "bash")
    }

    private static let zsh = Result {
        try offers(
            """
            imgscript --generate-completion-script zsh >_imgscript
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'PS1= PS2=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; unsetopt prompt_cr prompt_sp'
            zpty -w shell 'imgscript() { [[ $1 == ---completion ]] && command imgscript "$@" || print -rl -- "$*" "==" >>offered }'
            while read -r line; do zpty -w shell "imgscript $line"$'\\t'; done <lines
            zpty -w shell 'print -r -- en""d'
            while zpty -r shell read && [[ $read != *end* ]]; do done
            """, by: "zsh")
    }

    // At a terminal: elsewhere fish does not know the line that its script asks for.
    private static let fish = Result {
        try offers(
            """
            cat >ask <<'END'
            imgscript --generate-completion-script fish | source
            for line in (cat lines); complete --do-complete "imgscript $line" >>offered; echo == >>offered; end
            exit
            END
            script -qec 'fish --no-config' /dev/null <ask
            """, by: "sh")
    }

    private static func has(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
    }

    /// What a script writes into the file `offered` for each of the lines, in a folder with files to complete.
    private static func offers(_ script: String, by shell: String) throws -> [String: [String]] {
        let folder = TemporaryFolder()
        for name in ["certificates", "mine", ".config/imgscript"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["certificates/authority.pem", "mine/own.js", "list.txt", "other-1.0.0.tgz"] {
            try Data().write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        let pack = LockedPack(
            version: "1.0.0", source: "a", integrity: "sha512-\(String(repeating: "A", count: 86))==", contract: 1,
            providers: [:])
        let files = [
            ".config/imgscript/config.json": #"{"group": {"both": ["met", "openverse"]}}"#,
            "imgscript.lock": try Lockfile(packs: ["boards": pack, "@anna/own": pack]).text,
            "lines": lines.map { $0.typed + "\n" }.joined(), "script": script,
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/providers",
            withDestinationPath: Documentation.root.appending(path: "providers").path)
        let run = try CommandRun(
            shell: "cd '\(folder.path)' && timeout 120 \(shell) ./script >screen 2>&1; cat offered || cat screen",
            environment: ["TERM": "dumb", "HOME": folder.path])
        let parts = run.output.split(separator: "==\n", omittingEmptySubsequences: false).dropLast()
        try #require(parts.count == lines.count, "\(run.output)")
        return Dictionary(
            uniqueKeysWithValues: zip(lines, parts).map { line, part in
                (line.typed, part.split(separator: "\n").map(String.init))
            })
    }
}
