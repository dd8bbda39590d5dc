# Packages of what `make install` installs: `make deb`, `make dist`, `make image`, and `make release VERSION=…` for all of them.

# What the programs say they are, and the processor they are built for.
VERSION     ?= $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/ImgScript/ImageEngine.swift)
ARCH        ?= $(shell uname -m)
# Where packages go.
PACKAGES    ?= $(SCRATCH)/packages
# The version of the Debian package, which may name the system that it is for: 1.4.0+ubuntu26.04.
DEB_VERSION ?= $(VERSION)
# The secret minisign key that signs the checksums; without one they are not signed.
SIGNING_KEY ?=
# Who answers for the packages: "Name <address>"; the author of the last commit, where DEBFULLNAME and DEBEMAIL name nobody else.
export MAINTAINER ?= $(or $(and $(DEBFULLNAME),$(DEBEMAIL),$(DEBFULLNAME) <$(DEBEMAIL)>),$(shell git log -1 --format='%an <%ae>' 2>/dev/null))
# The base of the image, where it is not to be fetched.
IMAGE_BASE  ?=

# Files have the time of the last commit, so that the same sources give the same bytes.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)

# The commit that --version names; empty outside a clone.
export IMGSCRIPT_COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)

# No program names the folder it was built in, so that the same sources give the same bytes elsewhere; a build's identity would
# differ with the debug information that is stripped.
RELEASE += -Xlinker --build-id=none -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcc -ffile-prefix-map=$(abspath $(SCRATCH))=.build \
           -Xswiftc -file-prefix-map -Xswiftc $(abspath $(SCRATCH))=.build -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.

DIST_NAME = imgscript-$(VERSION)-linux-$(ARCH)
DEB       = $(PACKAGES)/imgscript_$(DEB_VERSION)_$(shell dpkg --print-architecture 2>/dev/null).deb

.PHONY: deb dist image lint-packages compare-builds release checksums

deb: ## Build the Debian package
	@packaging/stage "$(SCRATCH)/stage/deb" /usr SWIFT='$(SWIFT)' SCRATCH='$(SCRATCH)' \
	    zsh_folder='$$(sharedir)/zsh/vendor-completions'
	@packaging/build-deb "$(SCRATCH)/stage/deb" "$(DEB_VERSION)" "$(PACKAGES)"
	@echo "Built $(DEB)"

dist: ## Build the archive that runs from any folder, and checksums
	@packaging/stage "$(SCRATCH)/stage/dist" /. SWIFT='$(SWIFT)' SCRATCH='$(SCRATCH)' unit_folder=
	@packaging/build-archive "$(SCRATCH)/stage/dist" "$(DIST_NAME)" "$(PACKAGES)"
	@$(MAKE) --no-print-directory checksums
	@echo "Built $(PACKAGES)/$(DIST_NAME).tar.xz"

# Of all packages of this version that have been built.
checksums:
	@cd "$(PACKAGES)" && rm -f SHA256SUMS SHA256SUMS.minisig \
	    && find . -maxdepth 1 -type f -name 'imgscript*$(VERSION)*' -printf '%f\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
	@if [ -n "$(SIGNING_KEY)" ]; then \
	    $(BIN)/imgscript pack sign --secret-key "$(SIGNING_KEY)" "$(PACKAGES)/SHA256SUMS"; \
	else \
	    echo "SHA256SUMS is not signed: SIGNING_KEY names no key."; \
	fi

image: deb ## Build the container image, with buildah or podman
	@packaging/build-image "$(DEB)" "$(VERSION)" $(IMAGE_BASE)

lint-packages: deb ## Check the package and the image's recipe, with lintian and hadolint
	@lintian --fail-on error,warning "$(DEB)"
	@if command -v hadolint >/dev/null; then hadolint packaging/Containerfile; \
	else echo "The image's recipe is not checked: hadolint is missing."; fi

compare-builds: deb ## Build the package of the last commit once more elsewhere, and compare the bytes
	@packaging/compare-builds "$(DEB)"

release: ## Check, tag and package VERSION, which the sources and the changelog have to name
	@packaging/check-release "$(VERSION)"
	@$(MAKE) --no-print-directory lint test
	@$(MAKE) --no-print-directory lint-packages compare-builds dist
	@git tag -a -m "imgscript $(VERSION)" "v$(VERSION)"
	@echo "Tagged v$(VERSION); push it with: git push origin v$(VERSION)"
