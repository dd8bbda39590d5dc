# imgscript: `make demo` shows it, `make test` tests it, `make help` lists the rest.

SWIFT       ?= swift
# Added to every build: SWIFT_FLAGS='--jobs 1'.
SWIFT_FLAGS ?=
# Added to the tests only: TEST_FLAGS='--filter DocumentationTests'.
TEST_FLAGS  ?=
# The most seconds that the tests may take; the slowest machine needs a part of it.
TEST_TIME   ?= 1800
# Where builds go.
SCRATCH     ?= .build
# How many searches `make simulate` plays.
RUNS        ?= 1000000
# How long `make fuzz` gives each of its targets, which these are, and the modules whose branches are counted: fewer are faster.
SECONDS     ?= 60
TARGETS     ?= $(notdir $(wildcard Tests/FuzzingTests/Corpus/*))
MODULES     ?= all

PREFIX      ?= /usr/local
DESTDIR     ?=
INSTALL     ?= install
# Without symbols a program is half as large; STRIP= keeps them.
STRIP       ?= $(if $(shell command -v strip),-s)

# No library looks for a symbol in the program: it exports none.
RELEASE  = -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
           --quiet --scratch-path $(SCRATCH) $(SWIFT_FLAGS)
# One after another: tests of deadlines on two cores would judge each other. The imports are held to the list.
TEST_BUILD = --scratch-path $(SCRATCH) --explicit-target-dependency-import-check error $(SWIFT_FLAGS)
BIN      = $(SCRATCH)/release
SOURCES  = Package.swift Sources Tests Benchmarks Examples

# What `make sanitize` runs, and how long it may take; each sanitizer has a build of its own.
SANITIZERS      ?= thread address
SANITIZED_TESTS ?=
SANITIZED_TIME  ?= 7200
# Tests that are left out, each with its reason in the file.
SANITIZED_SKIP   = $(shell sed -n 's/^\([^\# ][^ ]*\).*/--skip \1/p' Tests/Sanitizers/skipped.txt)

# What builds need, and what tests need besides.
BUILD_PACKAGES = libjavascriptcoregtk-4.1-dev libcurl4-openssl-dev libpsl-dev libseccomp-dev libxml2-dev libglib2.0-dev \
                 libarchive-dev libsodium-dev libsqlite3-dev zlib1g-dev libbrotli-dev libzstd-dev \
                 pkg-config ca-certificates
TEST_PACKAGES  = openssl nghttp2-server curl jq bash-completion minisign node-acorn node-typescript libgexiv2-2 libvips-tools \
                 libimage-exiftool-perl chafa
# What the gallery's tests in a browser need.
GALLERY_TEST_PACKAGES = chromium python3-venv fonts-dejavu-core
GALLERY_TESTS         = Tests/GalleryTests

bindir      = $(DESTDIR)$(PREFIX)/bin
libexecdir  = $(DESTDIR)$(PREFIX)/libexec/imgscript
sharedir    = $(DESTDIR)$(PREFIX)/share
datadir     = $(sharedir)/imgscript
mandir      = $(sharedir)/man/man1
bash_folder = $(sharedir)/bash-completion/completions
zsh_folder  = $(sharedir)/zsh/site-functions
fish_folder = $(sharedir)/fish/vendor_completions.d
# Where the units for systemd go, the system's and the user's; empty for none.
unit_folder = $(DESTDIR)$(PREFIX)/lib/systemd
UNITS       = system/imgscript.service user/imgscript-watch.service user/imgscript-watch.timer user/imgscript-status.service \
              user/imgscript-status.timer

# The secret minisign key of the core pack and its index, and the folder of all its versions, which is published.
PACK_KEY ?=
PACKS    ?= $(SCRATCH)/packs
# What a build takes for them: the public key, and the URL of the index.
export IMGSCRIPT_CORE_KEY ?=
export IMGSCRIPT_INDEX    ?=

# The provider files that are installed.
LIST_PROVIDERS = find providers -type f \( -name package.json -o -path '*/types/*' -o -path '*/cassettes/*' -o -name '*.js' \) ! -name '*.test.js'

# Runs the build command $(1) without noise: downloads, and the linker's remark on Foundation's own mktemp.
define build_quietly
mkdir -p "$(SCRATCH)"; \
$(1) >"$(SCRATCH)/build.log" 2>&1; status=$$?; \
grep -Ev '^(Fetch(ing|ed)|Comput(ing|ed)|Creating working copy|Working copy)|the use of .mktemp. is dangerous' \
    "$(SCRATCH)/build.log" >&2; \
exit $$status
endef

# Has the packages fetched that a build needs; a network may fail once.
define fetch_dependencies
mkdir -p "$(SCRATCH)"; \
for pause in 5 20 0; do \
    if $(SWIFT) package --scratch-path "$(SCRATCH)" resolve >"$(SCRATCH)/fetch.log" 2>&1; then exit 0; fi; \
    sleep $$pause; \
done; \
cat "$(SCRATCH)/fetch.log" >&2; \
exit 1
endef

# Installs those of the packages $(1) that are missing; a mirror may be away for a moment, and another may be installing.
define install_packages
if ! command -v dpkg-query >/dev/null; then \
    echo "This is no Debian or Ubuntu: what these packages hold has to be there: $(strip $(1))"; \
    exit 0; \
fi; \
missing=; \
for package in $(1); do \
    [ "$$(dpkg-query -W -f '$${db:Status-Status}' "$$package" 2>/dev/null)" = installed ] || missing="$$missing $$package"; \
done; \
[ -n "$$missing" ] || exit 0; \
sudo=; \
if [ "$$(id -u)" -ne 0 ]; then \
    command -v sudo >/dev/null || { echo "imgscript needs these packages; install them as root:$$missing" >&2; exit 1; }; \
    sudo=sudo; \
fi; \
echo "Installing$$missing"; \
options='-qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300'; \
for pause in 5 20 0; do \
    if $$sudo apt-get $$options update >/dev/null \
        && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get $$options -y --no-install-recommends install $$missing >/dev/null; \
    then exit 0; fi; \
    sleep $$pause; \
done; \
echo "The packages could not be installed:$$missing" >&2; \
exit 1
endef

.PHONY: help demo build test option-table conformance simulator simulate fuzz sanitize gallery-test gallery-benchmark gallery-python python-test wheel docs install uninstall pack sources format lint benchmark clean swift packages test-packages dependencies
.NOTPARALLEL:

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "Variables: PREFIX ($(PREFIX)), DESTDIR, SCRATCH ($(SCRATCH)), SWIFT ($(SWIFT)), SWIFT_FLAGS, TEST_FLAGS, TEST_TIME ($(TEST_TIME))"

demo: build ## Build, and search samples of Pixabay for coffee; needs no key
	@echo "imgscript search --provider pixabay --sample coffee"
	@$(BIN)/imgscript search --provider pixabay --sample coffee

build: swift packages dependencies ## Build imgscript, its worker and its gallery for release
	@echo "Building imgscript (some minutes the first time)"
	@$(call build_quietly,$(SWIFT) build $(RELEASE) --product imgscript)
	@$(call build_quietly,$(SWIFT) build $(RELEASE) --product imgscript-worker)
	@$(call build_quietly,$(SWIFT) build $(RELEASE) --product imgscript-gallery)

test: swift packages test-packages dependencies ## Run all tests
	@echo "Building the tests (some minutes the first time)"
	@$(call build_quietly,$(SWIFT) build --build-tests --quiet $(TEST_BUILD))
	@echo "Running the tests"
	@timeout --foreground -k 10 $(TEST_TIME) $(SWIFT) test --skip-build --disable-xctest --no-parallel $(TEST_BUILD) $(TEST_FLAGS) \
	    >"$(SCRATCH)/tests.log" 2>&1 </dev/null; \
	status=$$?; \
	if [ $$status -eq 0 ]; then \
	    tail -n 1 "$(SCRATCH)/tests.log"; \
	    if [ -n '$(TEST_FLAGS)' ]; then echo "All tests passed."; exit 0; fi; \
	    $(MAKE) --no-print-directory gallery-test python-test && echo "All tests passed."; exit $$?; \
	fi; \
	if [ $$status -eq 124 ]; then echo "The tests did not end within $(TEST_TIME) s." >&2; fi; \
	if ! grep -q 'Test run with' "$(SCRATCH)/tests.log"; then tail -n 20 "$(SCRATCH)/tests.log" >&2; fi; \
	awk -f Tests/failures.awk "$(SCRATCH)/tests.log" >&2; \
	echo "Tests failed; $(SCRATCH)/tests.log has the whole output." >&2; \
	exit $$status

# libFuzzer keeps what it finds on the way in SCRATCH and goes on from there; an input that breaks a promise is printed, and
# belongs into the corpus. Swift's own backtrace would wait for libFuzzer's, and the other way round. Leaks are not looked for, and
# where memory was allocated is not noted: Swift allocates much, and that took up to a third of the time.
conformance: swift packages test-packages dependencies ## Run the suites of others in SUITES=folder, and write docs/conformance.md
	@[ -n "$(SUITES)" ] || { echo 'make conformance SUITES=folder: a folder with the suites that docs/conformance.md names' >&2; exit 2; }
	@$(call build_quietly,$(SWIFT) build --build-tests --quiet $(TEST_BUILD))
	@python3 Tests/Suites/fuzz-seeds.py "$(SUITES)" "$(SCRATCH)/seeds"
	@IMGSCRIPT_SUITES="$(abspath $(SUITES))" IMGSCRIPT_SEEDS="$(abspath $(SCRATCH))/seeds" IMGSCRIPT_CONFORMANCE=write \
	    $(SWIFT) test --skip-build --disable-xctest --no-parallel $(TEST_BUILD) --filter StandardSuite

simulator: swift packages dependencies ## Build the simulator of listings for release: the tests then play 40,000 of them
	@$(call build_quietly,$(SWIFT) build $(RELEASE) --product listing-simulator)

simulate: simulator ## Read random listings, RUNS of each kind, and download a hundredth of that; SEED=n replays one
	@$(call build_quietly,$(SWIFT) build --build-tests $(TEST_BUILD) --quiet $(SWIFT_FLAGS))
	@$(BIN)/listing-simulator $(RUNS) $(SEED)
	@IMGSCRIPT_SIMULATION_RUNS=$(RUNS) IMGSCRIPT_SIMULATION_SEED=$(SEED) $(SWIFT) test --skip-build --disable-xctest \
	    --no-parallel $(TEST_BUILD) --filter DownloadSimulationTests

option-table: ## Try every option against every kind of input
	IMGSCRIPT_OPTION_TABLE=1 $(MAKE) test TEST_FLAGS='--filter OptionTableTests'

fuzz: swift packages dependencies ## Look for bytes that parsers cannot take, for SECONDS each; SUITES=folder gives seeds
	@echo "Building the fuzz targets (some minutes the first time)"
	@export IMGSCRIPT_FUZZING="$(MODULES)"; $(call build_quietly,$(SWIFT) build -c release --product imgscript-fuzz \
	    --sanitize address --quiet --scratch-path "$(SCRATCH)/fuzz" $(SWIFT_FLAGS))
	@[ -z "$(SUITES)" ] || python3 Tests/Suites/fuzz-seeds.py "$(SUITES)" "$(SCRATCH)/fuzz/seeds"
	@export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:malloc_context_size=0:quarantine_size_mb=8; failed=0; \
	for target in $(TARGETS); do \
	    corpus="$(SCRATCH)/fuzz/corpus/$$target"; log="$(SCRATCH)/fuzz/$$target.log"; mkdir -p "$$corpus"; \
	    FUZZ_TARGET=$$target "$(SCRATCH)/fuzz/release/imgscript-fuzz" -max_total_time=$(SECONDS) -timeout=10 \
	        -rss_limit_mb=4096 -detect_leaks=0 -print_final_stats=1 -artifact_prefix="$(SCRATCH)/fuzz/$$target-" \
	        "$$corpus" "Tests/FuzzingTests/Corpus/$$target" \
	        $$([ -z "$(SUITES)" ] || ls -d "$(SCRATCH)/fuzz/seeds/$$target" 2>/dev/null) >"$$log" 2>&1 </dev/null || failed=1; \
	    awk -v target=$$target '/number_of_executed_units/ { printf "%-16s %11d executions\n", target, $$2 } \
	        /Fatal error|ERROR|artifact_prefix/ { print target ": " $$0 }' "$$log"; \
	done; \
	exit $$failed

# The programs that tests start are those of an ordinary build: a worker has a sandbox and a limit of memory that no sanitizer keeps
# to. Leaks are not looked for: what lives as long as the process is not freed.
sanitize: swift packages test-packages dependencies ## Run the tests under ThreadSanitizer and AddressSanitizer
	@echo "Building the tests, and once more for each sanitizer (an hour the first time)"
	@$(call build_quietly,$(SWIFT) build --build-tests --quiet $(TEST_BUILD))
	@root="$(abspath $(SCRATCH))"; failed=0; \
	for sanitizer in $(SANITIZERS); do \
	    folder="$$root-$$sanitizer"; log="$$folder/tests.log"; preloaded=; mkdir -p "$$folder"; \
	    $(SWIFT) build --build-tests --quiet --sanitize $$sanitizer --scratch-path "$$folder" $(SWIFT_FLAGS) >"$$log" 2>&1 \
	        || { cat "$$log" >&2; exit 1; }; \
	    if [ $$sanitizer = thread ]; then \
	        preloaded="$$folder/mutex.so"; \
	        clang -shared -fPIC -O1 -o "$$preloaded" Tests/Sanitizers/mutex.c -ldl || exit 1; \
	    fi; \
	    echo "Running the tests under the $$sanitizer sanitizer"; \
	    timeout --foreground -k 10 $(SANITIZED_TIME) env LD_PRELOAD=$$preloaded IMGSCRIPT_EXECUTABLES="$$root/debug" \
	        TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Sanitizers/thread.txt:second_deadlock_stack=1" \
	        ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
	        "$$folder/debug/imgscriptPackageTests.xctest" --testing-library swift-testing --no-parallel \
	        $(SANITIZED_SKIP) $(SANITIZED_TESTS) >"$$log" 2>&1 </dev/null || failed=1; \
	    echo "$$(grep -cE 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$$log") reports; $$(tail -n 1 "$$log")"; \
	    if grep -qE 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$$log"; then failed=1; fi; \
	    awk -f Tests/failures.awk "$$log" >&2; \
	    if [ $$failed -ne 0 ]; then echo "$$log has the whole output." >&2; exit 1; fi; \
	done

# The page in Chromium, and the API against its description: in Python, with what PyPI has for that. Where Chromium, Python or
# PyPI cannot be had, these are left out, and said to be.
gallery-test: gallery-python
	@if ! $(HAS_GALLERY_PYTHON); then exit 0; fi; \
	echo "Running the gallery's tests"; \
	export GALLERY_BINARIES="$${IMGSCRIPT_EXECUTABLES:-$(abspath $(SCRATCH))/debug}"; \
	timeout --foreground -k 10 $(TEST_TIME) $(GALLERY_PYTHON) -B -m unittest discover -s $(GALLERY_TESTS)/API \
	    && timeout --foreground -k 10 $(TEST_TIME) $(GALLERY_PYTHON) -B $(GALLERY_TESTS)/Browser/run.py

gallery-benchmark: build gallery-python ## Measure the gallery in a browser against its limits
	@if $(HAS_GALLERY_PYTHON); then $(GALLERY_PYTHON) -B Benchmarks/gallery-benchmark.py --binaries $(BIN); fi

# Python with what the gallery's tests and benchmark use.
GALLERY_PYTHON     = "$(SCRATCH)/gallery-test/bin/python"
HAS_GALLERY_PYTHON = { command -v chromium >/dev/null && [ -e "$(SCRATCH)/gallery-test/installed.txt" ]; }

gallery-python:
	@$(call install_packages,$(GALLERY_TEST_PACKAGES)) || true
	@if ! command -v chromium >/dev/null || ! command -v python3 >/dev/null; then \
	    echo "What runs in a browser is left out: Chromium or Python is missing."; exit 0; \
	fi; \
	if ! cmp -s $(GALLERY_TESTS)/requirements.txt "$(SCRATCH)/gallery-test/installed.txt"; then \
	    echo "Installing what the gallery's tests need"; \
	    rm -rf "$(SCRATCH)/gallery-test"; \
	    if ! python3 -m venv "$(SCRATCH)/gallery-test" || ! "$(SCRATCH)/gallery-test/bin/pip" install --quiet \
	        --disable-pip-version-check --retries 3 -r $(GALLERY_TESTS)/requirements.txt; then \
	        echo "What runs in a browser is left out: PyPI cannot be reached."; exit 0; \
	    fi; \
	    cp $(GALLERY_TESTS)/requirements.txt "$(SCRATCH)/gallery-test/installed.txt"; \
	fi

# The Python package, and `imgscript mcp` with the official client, over the built programs. Where Python or PyPI cannot be had,
# these are left out, and said to be.
PYTHON_TEST = $(SCRATCH)/python-test

python-test: ## Test the Python package and the server for agents with the programs of the tests
	@if ! command -v python3 >/dev/null; then echo "The tests in Python are left out: Python is missing."; exit 0; fi; \
	if ! cmp -s Python/requirements.txt "$(PYTHON_TEST)/installed.txt"; then \
	    echo "Installing what the tests in Python need"; \
	    rm -rf "$(PYTHON_TEST)"; \
	    if ! python3 -m venv "$(PYTHON_TEST)" || ! "$(PYTHON_TEST)/bin/pip" install --quiet --disable-pip-version-check \
	        --retries 3 -r Python/requirements.txt || ! "$(PYTHON_TEST)/bin/pip" install --quiet \
	        --disable-pip-version-check --no-deps --no-build-isolation -e Python; then \
	        echo "The tests in Python are left out: PyPI cannot be reached."; exit 0; \
	    fi; \
	    cp Python/requirements.txt "$(PYTHON_TEST)/installed.txt"; \
	fi; \
	echo "Running the tests in Python"; \
	"$(PYTHON_TEST)/bin/mypy" --config-file Python/pyproject.toml --cache-dir "$(PYTHON_TEST)/mypy" Python/src Python/tests \
	    && IMGSCRIPT_PROGRAM="$(abspath $(SCRATCH))/debug/imgscript" timeout --foreground -k 10 $(TEST_TIME) \
	        "$(PYTHON_TEST)/bin/pytest" -q -p no:cacheprovider -c Python/pyproject.toml Python/tests Python/src Python/README.md

wheel: ## Build the Python package
	@python3 -m pip wheel --quiet --no-deps --wheel-dir "$(SCRATCH)/packages" ./Python && ls "$(SCRATCH)"/packages/imgscript-*.whl

# `sudo make install` may have no Swift on its path; then what has been built before is installed.
install: ## Install for all users below PREFIX
	@if command -v $(SWIFT) >/dev/null; then $(MAKE) --no-print-directory build; \
	elif ! [ -x $(BIN)/imgscript ] || ! [ -x $(BIN)/imgscript-worker ] || ! [ -x $(BIN)/imgscript-gallery ]; then \
	    echo "Nothing has been built yet: run make build first." >&2; exit 1; \
	fi
	@echo "Installing into $(DESTDIR)$(PREFIX)"
	@$(INSTALL) -d "$(bindir)" "$(libexecdir)" "$(datadir)" "$(mandir)" "$(bash_folder)" "$(zsh_folder)" "$(fish_folder)"
	@$(INSTALL) $(STRIP) -m 755 $(BIN)/imgscript "$(bindir)/imgscript"
	@$(INSTALL) $(STRIP) -m 755 $(BIN)/imgscript-worker "$(libexecdir)/imgscript-worker"
	@$(INSTALL) $(STRIP) -m 755 $(BIN)/imgscript-gallery "$(libexecdir)/imgscript-gallery"
	@$(LIST_PROVIDERS) | while read -r file; do $(INSTALL) -D -m 644 "$$file" "$(datadir)/$$file" || exit 1; done
	@$(INSTALL) -m 644 docs/imgscript.1 "$(mandir)/imgscript.1"
	@[ -z "$(unit_folder)" ] || for unit in $(UNITS); do \
	    sed 's,/usr/bin/,$(PREFIX)/bin/,' "packaging/$${unit#*/}" \
	        | $(INSTALL) -D -m 644 /dev/stdin "$(unit_folder)/$$unit" || exit 1; \
	done
	@$(BIN)/imgscript --generate-completion-script bash >"$(bash_folder)/imgscript"
	@$(BIN)/imgscript --generate-completion-script zsh >"$(zsh_folder)/_imgscript"
	@$(BIN)/imgscript --generate-completion-script fish >"$(fish_folder)/imgscript.fish"

uninstall: ## Remove what install put there
	@echo "Removing imgscript from $(DESTDIR)$(PREFIX)"
	@rm -f "$(bindir)/imgscript" "$(libexecdir)/imgscript-worker" "$(libexecdir)/imgscript-gallery" \
	    "$(mandir)/imgscript.1" $(if $(unit_folder),$(foreach unit,$(UNITS),"$(unit_folder)/$(unit)")) \
	    "$(bash_folder)/imgscript" "$(zsh_folder)/_imgscript" "$(fish_folder)/imgscript.fish"
	@$(LIST_PROVIDERS) | while read -r file; do rm -f "$(datadir)/$$file"; done
	@for folder in "$(libexecdir)" "$(datadir)"; do \
	    if [ -d "$$folder" ]; then find "$$folder" -depth -type d -empty -delete; fi; \
	done

pack: build ## Build the providers as the pack @imgscript/core, signed with PACK_KEY; and the index of all in PACKS
	@mkdir -p "$(PACKS)"
	@$(BIN)/imgscript pack build --output "$(PACKS)" providers
	@if [ -n "$(PACK_KEY)" ]; then \
	    version=$$(sed -n 's/^  "version": "\(.*\)",$$/\1/p' providers/package.json); \
	    $(BIN)/imgscript pack sign --secret-key "$(PACK_KEY)" "$(PACKS)/imgscript-core-$$version.tgz" \
	        && $(BIN)/imgscript pack index --secret-key "$(PACK_KEY)" "$(PACKS)"; \
	else \
	    echo "The pack is not signed: PACK_KEY names no key."; \
	fi

sources: build ## Write the table of docs/sources.md
	@echo "Writing docs/sources.md"
	@$(BIN)/imgscript providers --format markdown --providers-folder providers >"$(SCRATCH)/sources.md"
	@awk -v table="$(SCRATCH)/sources.md" '/^\| source \| `-p` \|/ { while ((getline line < table) > 0) print line; skip = 1 } \
	    !/^\|/ { skip = 0 } !skip' docs/sources.md >"$(SCRATCH)/sources.new"
	@cp "$(SCRATCH)/sources.new" docs/sources.md

# Of the modules that the debug build has; the library's documentation has the modules that it exports as well.
docs: swift packages dependencies ## Write the documentation of the library into SCRATCH/docs
	@$(call build_quietly,$(SWIFT) build --quiet --target ImgScript --scratch-path $(SCRATCH) $(SWIFT_FLAGS))
	@rm -rf "$(SCRATCH)/symbols" "$(SCRATCH)/docs" && mkdir -p "$(SCRATCH)/symbols"
	@tools="$$(dirname "$$(realpath "$$(command -v $(SWIFT))")")"; \
	"$$tools/swift-symbolgraph-extract" -module-name ImgScript -target "$$(uname -m)-unknown-linux-gnu" \
	    -I "$(SCRATCH)/debug/Modules" -minimum-access-level public -skip-synthesized-members \
	    -experimental-allowed-reexported-modules=ProviderModel,Search,Downloads -output-dir "$(SCRATCH)/symbols" \
	    $$(printf -- '-Xcc -fmodule-map-file=%s ' Sources/*/module.modulemap "$(SCRATCH)"/debug/*.build/module.modulemap \
	        "$(SCRATCH)"/checkouts/*/Sources/*/module.modulemap "$(SCRATCH)"/checkouts/*/Sources/*/include/module.modulemap) \
	    && "$$tools/docc" convert Sources/ImgScript/ImgScript.docc --additional-symbol-graph-dir "$(SCRATCH)/symbols" \
	        --fallback-display-name ImgScript --fallback-bundle-identifier imgscript --warnings-as-errors \
	        --transform-for-static-hosting --output-dir "$(SCRATCH)/docs"
	@echo "$(SCRATCH)/docs; python3 -m http.server -d $(SCRATCH)/docs shows it at /documentation/imgscript"

format: swift ## Format the Swift sources in place
	@echo "Formatting"
	@$(SWIFT) format format --in-place --parallel --recursive $(SOURCES)

lint: swift ## Say where the Swift sources differ from .swift-format
	@echo "Linting"
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

benchmark: build ## Measure speed, beside other programs where they are installed
	@$(call build_quietly,$(SWIFT) build $(RELEASE) --product worker-benchmark)
	@$(call build_quietly,$(SWIFT) build $(RELEASE) --product download-benchmark)
	@$(BIN)/worker-benchmark
	@Benchmarks/search-benchmark.py $(BIN)/imgscript
	@Benchmarks/crawl-benchmark.py $(BIN)/imgscript
	@Benchmarks/download-benchmark.py --program $(BIN)/download-benchmark --command $(BIN)/imgscript

clean: ## Remove what was built
	@echo "Removing $(SCRATCH)"
	@rm -rf "$(SCRATCH)"

swift:
	@command -v $(SWIFT) >/dev/null || { \
	    echo "Swift is missing: install Swift 6.3 (https://www.swift.org/install/linux/) and put it on your PATH." >&2; \
	    exit 1; }

packages: ## Install the system's packages that a build needs
	@$(call install_packages,$(BUILD_PACKAGES))

test-packages:
	@$(call install_packages,$(TEST_PACKAGES))

dependencies: swift
	@$(call fetch_dependencies)

include packaging/packaging.mk
