import Foundation
import TestSupport
import Testing

/// What the completion scripts offer, in the shells themselves, where they are installed.
@Suite(.serialized)
struct CompletionTests {
    /// A command line whose last word has one completion.
    struct Line: CustomTestStringConvertible {
        let typed: String
        let completed: String
        /// Whether the program itself is asked.
        var isOfProviders: Bool { ["inaturalist", "all", "own"].contains(completed) }
        var testDescription: String { typed }

        init(_ typed: String, _ completed: String) { (self.typed, self.completed) = (typed, completed) }
    }

    static let lines = [
        Line("search -p inatu", "inaturalist"), Line("search --provider al", "all"),
        Line("auth set inatu", "inaturalist"),
        Line("providers info inatu", "inaturalist"), Line("search -f tab", "table"),
        Line("test --reporter jun", "junit"),
        Line("download -p inatu", "inaturalist"), Line("search --providers-folder mine -p ow", "own"),
        Line("search --ca-file certificates/aut", "certificates/authority.pem"),
        Line("providers check mine/ow", "mine/own.js"), Line("download -i lis", "list.txt"),
    ]

    @Test(.enabled(if: has("bash")), arguments: lines)
    func bashCompletes(line: Line) throws {
        let offered = try offers(
            in: "bash",
            """
            source <(imgscript --generate-completion-script bash)
            COMP_LINE="imgscript $LINE" COMP_POINT=$((${#LINE} + 10))
            read -ra COMP_WORDS <<<"$COMP_LINE"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _imgscript imgscript "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """, line.typed)
        #expect(offered.split(separator: "\n").map(String.init) == [line.completed])
    }

    // The script asks the program for names of providers by `commandline`, which fish has only at a terminal.
    @Test(.enabled(if: has("fish")), arguments: lines.filter { !$0.isOfProviders })
    func fishCompletes(line: Line) throws {
        let offered = try offers(
            in: "fish",
            """
            imgscript --generate-completion-script fish | source
            complete --do-complete "imgscript $LINE"
            """, line.typed)
        // A description may follow a tab.
        let words = offered.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(words.contains(line.completed) && words.allSatisfy { $0.hasPrefix(line.completed) }, "\(offered)")
    }

    @Test(.enabled(if: has("zsh")), arguments: lines)
    func zshCompletes(line: Line) throws {
        // The completed line is accepted, and its command prints it.
        let offered = try offers(
            in: "zsh",
            """
            imgscript --generate-completion-script zsh >_imgscript
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell 'PS1= PS2=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; unsetopt prompt_cr prompt_sp'
            zpty -w shell 'imgscript() { [[ $1 == ---completion ]] && command imgscript "$@" || print -r -- "<<$*>>" }'
            zpty -w shell "imgscript $LINE"$'\\t'
            while zpty -r shell read; do
                [[ $read == *'<<'*'>>'* && $read != *'$*'* ]] && print -r -- "$read" && break
            done
            """, line.typed)
        let words = line.typed.split(separator: " ").dropLast().joined(separator: " ")
        #expect(offered.contains("<<\(words) \(line.completed)>>"), "\(offered)")
    }

    private static func has(_ shell: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
    }

    /// What a script prints in a shell, in a folder with files to complete.
    private func offers(in shell: String, _ script: String, _ line: String) throws -> String {
        let folder = TemporaryFolder()
        for name in ["certificates", "mine"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["certificates/authority.pem", "mine/own.js", "list.txt"] {
            try Data().write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/providers",
            withDestinationPath: Documentation.root.appending(path: "providers").path)
        try script.write(toFile: "\(folder.path)/script", atomically: true, encoding: .utf8)
        let run = try CommandRun(
            shell: "cd '\(folder.path)' && timeout 60 \(shell) ./script",
            environment: ["LINE": line, "TERM": "dumb", "HOME": folder.path])
        return run.output + run.errors
    }
}
