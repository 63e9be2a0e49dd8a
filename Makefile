# What a stranger needs: Python ≥ 3.11 with venv, a Rust toolchain, a C compiler, make.
# `make test` does all the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUST_LEAST := 1.88
export CARGO_TERM_COLOR ?= auto
# The extension and the Rust tests share a profile, so that crates are compiled once.
PROFILE := quick

.DEFAULT_GOAL := build
# What `make wheel` links with, for a glibc older than this machine's.
ZIG := ziglang==0.15.2
GLIBC := 2_17

.PHONY: browser java build check lint deny test demo wheel soak fuzzers sanitized bench clean requirements develop

# What users run: release, thin LTO.
build: $(VENV)/installed
	$(BIN)/maturin develop --release --quiet
	@echo "built; try: $(BIN)/webecho --help"

# A made-up web, its duplicates removed, and the result held against the truth.
demo: build
	$(BIN)/python demo.py demo

# What is given to others: one wheel for every Python from 3.11 on and every Linux with this glibc or a
# newer one, which maturin checks. Where there is no zig, for a glibc as new as this machine's.
wheel: $(VENV)/installed
	@rm -rf dist
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: $(ZIG); then \
		PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/maturin build --release --zig --compatibility manylinux_$(GLIBC) \
			--target-dir rust/target/wheel --out dist --quiet; \
		else echo "no zig: the wheel is for systems as new as this one"; $(BIN)/maturin build --release --out dist --quiet; fi
	@ls dist/*.whl

# Tests on Spark come by themselves: all share one session, which has both cores.
test: develop lint browser java
	cargo test --manifest-path rust/Cargo.toml --profile $(PROFILE) --quiet
	$(BIN)/python -m pytest -m "not soak and not spark" -n 2 --dist worksteal
	$(BIN)/python -m pytest -m "spark and not soak"

# What the browser tests need beside playwright, which never fetches a browser of its own.
CHROMIUM := { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null
browser:
	@$(CHROMIUM) || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && { \
		echo "installing chromium for the browser tests"; export DEBIAN_FRONTEND=noninteractive; \
		apt-get install -y -qq --no-install-recommends chromium >/dev/null || \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; }; } } || true
	@$(CHROMIUM) || { \
		echo "************************************************************************"; \
		echo "* The browser tests will be SKIPPED: there is no chromium here, and it *"; \
		echo "* can be installed by root on Debian only: apt-get install chromium    *"; \
		echo "************************************************************************"; }

# What the Spark tests need beside pyspark.
JAVA := command -v "$${JAVA_HOME:+$$JAVA_HOME/bin/}java" >/dev/null
JRES := openjdk-17-jre-headless openjdk-21-jre-headless default-jre-headless
java:
	@$(JAVA) || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && { \
		echo "installing Java for the Spark tests"; export DEBIAN_FRONTEND=noninteractive; \
		for known in yes no; do [ $$known = yes ] || apt-get update -qq; for each in $(JRES); do \
		apt-get install -y -qq --no-install-recommends $$each >/dev/null 2>&1 && break 2; done; done; } } || true
	@$(JAVA) || { \
		echo "************************************************************************"; \
		echo "* The Spark tests will be SKIPPED: there is no Java here, and it can   *"; \
		echo "* be installed by root on Debian only:                                 *"; \
		echo "*   apt-get install openjdk-17-jre-headless                            *"; \
		echo "************************************************************************"; }

# The long versions of the tests, at most three hours on two cores. The table of attacks (docs/reliability.md)
# is made of what each step adds to a file, and printed at the end, with what is promised. The mutations use all
# cores by themselves, and so does Spark. All steps are taken, whatever fails.
SOAKED := rust/target/soak.jsonl
soak: export WEBECHO_SOAK_TABLE = $(CURDIR)/$(SOAKED)
soak: develop fuzzers
	@rm -f $(SOAKED)
	@failed=0; \
	$(BIN)/python -m pytest -m soak -n 2 --dist worksteal tests/faults tests/any_bytes/test_fuzz_targets.py tests/any_bytes/test_guided.py || failed=1; \
	$(BIN)/python -m pytest -m soak tests/any_bytes/test_mutations.py tests/any_bytes/test_command_line.py || failed=1; \
	$(BIN)/python -m pytest -m soak -n 2 --dist worksteal tests/memory tests/bench || failed=1; \
	$(BIN)/python -m pytest -m "soak and not spark" -n 2 --dist worksteal $(addprefix --ignore=tests/,faults any_bytes memory bench) || failed=1; \
	$(BIN)/python -m pytest -m "soak and spark" || failed=1; \
	$(MAKE) --no-print-directory sanitized || failed=1; \
	$(BIN)/python -m tests.soak_table $(SOAKED) || failed=1; \
	exit $$failed

# What fuzzing the kernels and the readers needs, which is asked for by nothing else; that of the kernels takes
# minutes to install.
ATHERIS := atheris==3.0.0
NIGHTLY := rustup toolchain list 2>/dev/null | grep -q nightly
fuzzers:
	@{ command -v cargo-fuzz >/dev/null && $(NIGHTLY); } && \
		(cd rust && cargo +nightly fuzz build --fuzz-dir fuzz --no-trace-compares) || { \
		echo "************************************************************************"; \
		echo "* The kernels will NOT be fuzzed: cargo install cargo-fuzz --locked    *"; \
		echo "* and rustup toolchain install nightly                                 *"; \
		echo "************************************************************************"; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: $(ATHERIS) || { \
		echo "************************************************************************"; \
		echo "* The readers will NOT be fuzzed by coverage: $(ATHERIS) is not to *"; \
		echo "* be had for this Python                                               *"; \
		echo "************************************************************************"; }

# The tests of the kernels below the address sanitizer.
sanitized:
	@$(NIGHTLY) || { echo "the kernels are NOT tested below a sanitizer: rustup toolchain install nightly"; exit 0; }; \
		RUSTFLAGS=-Zsanitizer=address cargo +nightly test --manifest-path rust/Cargo.toml --profile $(PROFILE) \
		--target $$(rustc -vV | sed -n 's/^host: //p') --target-dir rust/target/sanitized --lib --quiet

bench: build
	$(BIN)/python -m bench

develop: $(VENV)/installed
	$(BIN)/maturin develop --profile $(PROFILE) --quiet

lint: $(VENV)/installed
	$(BIN)/ruff format --check python tests bench demo.py
	$(BIN)/ruff check python tests bench demo.py
	$(BIN)/mypy
	cargo fmt --manifest-path rust/Cargo.toml --check
	cargo clippy --manifest-path rust/Cargo.toml --profile $(PROFILE) --all-targets --quiet -- -D warnings
	@if cargo deny --version >/dev/null 2>&1; then $(MAKE) --no-print-directory deny; \
		else echo "skipped: licences and sources of crates (cargo install cargo-deny --locked)"; fi

# Licences, sources and versions of all crates. What looks takes minutes to install, so that `make lint`
# asks only those who have it.
deny:
	cargo deny --manifest-path rust/Cargo.toml check licenses sources bans

$(VENV)/installed: requirements.txt | check
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

# Each prerequisite with the fix, before anything else fails less clearly.
check:
	@command -v $(PYTHON) >/dev/null || { echo "no $(PYTHON): install Python 3.11 or later (Debian: apt-get install python3 python3-venv)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) has no venv: apt-get install python3-venv"; exit 1; }
	@command -v cargo >/dev/null || { echo "no cargo: install Rust $(RUST_LEAST) or later with rustup (https://rustup.rs)"; exit 1; }
	@rustc --version | $(PYTHON) -c 'import re, sys; found = re.search(r"(\d+)\.(\d+)", sys.stdin.read()); sys.exit(tuple(map(int, found.groups())) < tuple(map(int, "$(RUST_LEAST)".split("."))))' || { echo "rustc is older than $(RUST_LEAST): rustup update stable"; exit 1; }
	@command -v cc >/dev/null || { echo "no C compiler (cc): apt-get install gcc libc6-dev"; exit 1; }

# Resolves requirements.in anew and pins what it gives.
requirements: | check
	rm -rf $(VENV)/pins && $(PYTHON) -m venv $(VENV)/pins
	$(VENV)/pins/bin/python -m pip install --quiet -r requirements.in
	$(VENV)/pins/bin/python -m pip freeze --exclude pip > requirements.txt
	rm -rf $(VENV)/pins

clean:
	rm -rf $(VENV) rust/target dist
