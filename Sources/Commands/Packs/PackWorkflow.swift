import ImgScript
import Packs

/// The workflow of a pack on GitHub: tests on every push, the drift check on a timer, and a release with an index for a tag.
struct PackWorkflow {
    let name: PackName

    /// The text of `.github/workflows/pack.yml`.
    var text: String { "\(head)\(test)\(drift)\(publish)" }

    private var head: String {
        """
        # Tests the pack, looks once a week whether its sources have changed, and publishes it when a tag v* is pushed.
        # Publishing needs the secret PACK_KEY: the text of a key that `imgscript pack keygen --no-password` wrote, of which
        # package.json names the public half; and GitHub Pages, from the branch gh-pages.
        name: pack
        on:
          push:
          pull_request:
          workflow_dispatch:
          schedule:
            - cron: '17 5 * * 1'
        permissions:
          contents: read
        jobs:

        """
    }

    private func job(_ name: String, _ lines: String...) -> String {
        """
          \(name):
        \(lines.map { "    \($0)\n" }.joined())    runs-on: ubuntu-24.04
            steps:
              - uses: actions/checkout@v4
              - name: Install imgscript
                env:
                  GH_TOKEN: ${{ github.token }}
                run: |
                  gh release download --repo \(repository) --pattern 'imgscript_*_amd64.deb' --dir "$RUNNER_TEMP"
                  sudo apt-get update && sudo apt-get install -y "$RUNNER_TEMP"/imgscript_*.deb

        """
    }

    private var repository: String {
        String(ImageEngine.homepage.drop { $0 != "/" }.split(separator: "/").suffix(2).joined(separator: "/"))
    }

    private var test: String {
        job("test", "if: github.event_name != 'schedule'") + """
                - run: imgscript pack run-tests .

            """
    }

    private var drift: String {
        job("drift", "if: github.event_name == 'schedule' || github.event_name == 'workflow_dispatch'") + """
                # Fails where a source answers in another form than its recordings have.
                - run: imgscript test --drift providers

            """
    }

    private var publish: String {
        job(
            "publish", "if: startsWith(github.ref, 'refs/tags/v')", "needs: test", "permissions:",
            "  contents: write") + """
                    - name: Build, sign and publish
                      env:
                        PACK_KEY: ${{ secrets.PACK_KEY }}
                      run: |
                        umask 077 && printf '%s\n' "$PACK_KEY" >"$RUNNER_TEMP/pack.key"
                        git fetch origin gh-pages:gh-pages && git worktree add published gh-pages \\
                            || git worktree add --orphan -b gh-pages published
                        imgscript pack build --output published .
                        for archive in published/*.tgz; do
                          [ -e "$archive.minisig" ] || imgscript pack sign --secret-key "$RUNNER_TEMP/pack.key" "$archive"
                        done
                        imgscript pack index --secret-key "$RUNNER_TEMP/pack.key" published
                        rm "$RUNNER_TEMP/pack.key"
                        cd published
                        git add --all
                        git -c user.name=github-actions -c user.email=actions@github.com commit -m "\(name) $GITHUB_REF_NAME"
                        git push origin gh-pages

                """
    }
}
