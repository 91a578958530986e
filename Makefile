# Everything a newcomer, a developer and CI run. `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup check rustdoc supply licences certificates test test-all test-cpus prove prove-cores ct faults fuzz miri wheel check-wheel peers \
  bench bench-compare \
  files-speed files-4g scaling \
  report rows hardware reproduce-full install-c install-gpu header man tables crates msrv semver netlists lock \
  clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
unexport PYTHONPATH CONDA_PREFIX
# Every process that a test starts, a simulator too, would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

# Rows that are to be committed; without this they go to the user's own folder.
TRACKED := $(BIN)/roundworks --results results

PEERS := crates/roundworks-peers
# With the stub, whose docstrings the module gets.
RUST_SOURCES := Cargo.toml Cargo.lock python/roundworks/_native.pyi \
  $(shell find crates -name '*.rs' -o -name Cargo.toml)

help: ## list these commands
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

setup: $(STAMPS)/native $(STAMPS)/python ## install what is missing, build the native module

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

# Of which the native module is made; they want no Python.
MODULE := roundworks $(addprefix roundworks-,baselines bench files gpu lrat search)

# What the page wants, and no more: a linker, graphviz, and the packages of requirements/page.txt. They come
# over the network, while a CPU compiles.
$(STAMPS)/page: tools/setup_system.sh requirements/page.txt
	PYTHON=$(PYTHON) bash tools/setup_system.sh page
	$(PYTHON) -m venv $(VENV)
	@echo "setup: installing Python packages, compiling the Rust crates (one to four minutes the first time)"
	@bash tools/parallel.sh crates cargo build --release --locked --quiet $(MODULE:%=-p %) -- \
	  $(PIP) -r requirements/page.txt
	@mkdir -p $(STAMPS) && touch $@

# Without its extras: pip would take them in whatever version is newest.
$(STAMPS)/native: $(STAMPS)/page pyproject.toml $(RUST_SOURCES)
	@echo "setup: building the native module"
	@$(BIN)/maturin develop --release --locked > $(STAMPS)/native.log 2>&1 || { cat $(STAMPS)/native.log; exit 1; }
	@touch $@

$(STAMPS)/system: tools/setup_system.sh tools/setup_trust.sh tools/setup_hardware.sh
	PYTHON=$(PYTHON) bash tools/setup_system.sh
	bash tools/setup_trust.sh
	bash tools/setup_hardware.sh
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/python: $(STAMPS)/system $(STAMPS)/page requirements/dev.txt
	$(PIP) -r requirements/dev.txt
	@touch $@

check: setup rustdoc ## format, lints, links, layers, citations, schemas, types, the C header
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	cargo fmt --all --check
	cargo fmt --all --check --manifest-path $(PEERS)/Cargo.toml
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	cargo test -p roundworks-header --locked --quiet > $(STAMPS)/header.log || { cat $(STAMPS)/header.log; exit 1; }
	$(BIN)/lint-imports --no-cache > $(STAMPS)/layers.log || { cat $(STAMPS)/layers.log; exit 1; }
	$(BIN)/python tools/check_layers.py
	$(BIN)/python tools/check_citations.py
	$(BIN)/python tools/check_supply.py
	$(BIN)/python tools/check_words.py
	$(BIN)/python tools/check_docs.py
	$(BIN)/python tools/row_types.py --check
	$(BIN)/python -m roundworks.spec
	$(BIN)/python tools/check_rows.py
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest roundworks._native
	@echo "check: all clean"

$(STAMPS)/supply: $(STAMPS)/python requirements/supply.txt
	$(PIP) -r requirements/supply.txt
	@touch $@

licences: setup $(STAMPS)/docs $(STAMPS)/supply ## list again what is taken from others, after a change of a lock file
	cd $(PEERS) && cargo fetch --locked --quiet
	$(BIN)/python tools/check_supply.py --write

# Where no cargo-deny is, one is built, which takes minutes.
DENY := $(or $(shell command -v cargo-deny),build/tools/bin/cargo-deny)

build/tools/bin/cargo-deny:
	cargo install cargo-deny --version 0.20.2 --locked --quiet --root build/tools

supply: setup $(STAMPS)/supply $(DENY) ## known vulnerabilities of what we take, its licences and sources; wants a network
	DENY=$(abspath $(DENY)) ROUNDWORKS_RESULTS=results bash tools/supply.sh

# A part of a longer job: its name and its command; the minutes it takes are printed behind it.
PART := bash tools/part.sh

# The emulated CPUs in parallel with the others, which leave a core idle where a crate is compiled or a test waits.
test: setup ## the tests of Rust and Python; the last lines count them
	bash tools/parallel.sh cpus $(BIN)/python tools/test_cpus.py --short -- bash -euc ' \
	  $(PART) rust bash tools/test_rust.sh; \
	  $(PART) pytest $(BIN)/python -m pytest -n 3'

# The emulated CPUs, one process each, in parallel with others that leave a core idle most of the time.
test-all: setup ## what `make test` leaves out because it is long; a part each line
	bash tools/parallel.sh 'cpus, long' $(BIN)/python tools/test_cpus.py -- bash -euc ' \
	  $(PART) "every feature alone" $(BIN)/python tools/check_features.py; \
	  $(PART) "documentation site" $(MAKE) --no-print-directory docs; \
	  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 $(PART) "wheel, built twice" bash tools/check_wheel.sh; \
	  $(PART) "cpus, Python" $(BIN)/python tools/test_python_cpus.py'
	$(PART) 'pytest, long' $(BIN)/python -m pytest -n 2 -m long

test-cpus: setup ## every test of the core on emulated CPUs, older and other; minutes
	$(BIN)/python tools/test_cpus.py
	$(BIN)/python tools/test_python_cpus.py

ct: setup ## secrets tracked by valgrind, and times compared where it cannot follow; the latter not part of `test`
	ROUNDWORKS_RESULTS=results bash tools/ct.sh

prove: setup ## the machine code of the library proven equal to the descriptions; hours of processor time
	$(MAKE) --no-print-directory install-c PREFIX=$(CURDIR)/build/prefix DESTDIR=
	$(TRACKED) prove --lengths edges --ledger build/prove.sqlite

prove-cores: setup ## AEAD cores on unknown bits, by model checking and from C++, what has no row yet; hours
	bash tools/prove_cores.sh

# Of table 1 of [AESNI-PERM]: rounds and configuration; a test compares them with spec/.
TABLE_1 := 6:1-0,2-0 6:2-0,1-0 6:2-0,2-0 8:1-0,1-1 5:2-0,1-1 4:2-0,2-2

certificates: setup ## the bounds that are quoted most, each with a proof that is checked; some twenty minutes
	$(TRACKED) bound aes --rounds 4 --proof build/certificates
	for row in $(TABLE_1); do $(TRACKED) bound feistel256:$${row#*:} --rounds $${row%%:*} --count executed \
	  --proof build/certificates; done
	$(TRACKED) reproduce aether --table text --profile full

faults: setup ## studies on Dask and Slurm, with workers, clients and a scheduler killed in 50 rounds; minutes
	FAULT_ROUNDS=50 $(BIN)/python -m pytest -q -s -m long python/tests/studies/test_cluster.py

FUZZ_SECONDS ?= 60
fuzz: setup ## each fuzz target for a minute, FUZZ_SECONDS; FUZZ_TOOLCHAIN=nightly adds AddressSanitizer
	ROUNDWORKS_RESULTS=results bash tools/fuzz.sh $(FUZZ_SECONDS)

miri: setup ## the portable path under miri, with short tests; wants a nightly Rust
	bash tools/miri.sh

wheel: setup ## one wheel for Python 3.11 and later, in dist/
	rm -rf dist
	bash tools/wheel.sh dist
	@ls dist/*

check-wheel: setup ## two builds of the wheel, one from its sdist in another folder, are the same bytes
	ROUNDWORKS_RESULTS=results bash tools/check_wheel.sh

# A workspace of its own: the other libraries are large, and nobody else needs them.
peers: setup ## the program that measures ours and other libraries (five minutes the first time)
	@echo "peers: building libsodium, OpenSSL, AWS-LC and others"
	cd $(PEERS) && cargo build --release --locked --quiet --target-dir $(CURDIR)/target/peers

bench: peers ## speed compared with other libraries, the search with its plain version; rows in results/
	$(TRACKED) bench --profile full --peers
	$(TRACKED) search --words 9 --inputs 3
	$(TRACKED) search --words 11 --inputs 4 || [ $$? -eq 1 ]  # 1: none found, as in the paper
	$(TRACKED) search --words 12 --inputs 4
	cargo run --release --locked --quiet -p roundworks-search --example plain

# Before and after a change to a cipher's code; a few minutes.
bench-compare: peers ## fails if a workload became slower than in the stored rows of CPUs with this core
	rm -rf build/bench-compare
	$(BIN)/roundworks --results build/bench-compare bench --peers --size 64 --size 1500 --size 16384 --seconds 120
	$(BIN)/python -m roundworks.bench.compare build/bench-compare results

files-speed: setup ## seal and open 1 GiB, compared with cp, in memory and on the disk
	$(BIN)/python -m roundworks.bench.files speed

scaling: setup ## seal files and many messages on one core, two and so on
	$(BIN)/python -m roundworks.bench.scaling

files-4g: setup ## seal and open 4 GiB; fails above 64 MiB of memory
	@mkdir -p build
	$(BIN)/python -m roundworks.bench.files memory

report: $(STAMPS)/native ## the pages: compute what takes seconds, show stored rows for the rest
	$(BIN)/roundworks report --compute

PREFIX ?= /usr/local
export PREFIX DESTDIR LIBDIR INCLUDEDIR MANDIR DOCDIR
# Where make test keeps its builds too, so nothing is built twice.
C_TARGET := $(or $(CARGO_TARGET_DIR),target)/release
# `make test` names the packages that it built before: with others the core has other features.
C_PACKAGES ?= -p roundworks-capi

VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)

install-c: ## header, libraries, pkg-config, CMake, man and SBOM for C, under PREFIX; wants only a Rust toolchain
	cargo build --release --locked --quiet $(C_PACKAGES)
	bash crates/roundworks-capi/install/install.sh $(C_TARGET)/libroundworks.a $(VERSION)

install-gpu: setup ## machine code of the kernels, next to the libraries of install-c; wants nvcc, as in setup
	$(BIN)/python -c 'import pathlib, sys; from roundworks.gpu import build; build.install(pathlib.Path(sys.argv[1]))' \
	  $(DESTDIR)$(or $(LIBDIR),$(PREFIX)/lib)/roundworks

# Those that crates.io gets; a test compares this list with the manifests.
CRATES := roundworks roundworks-files roundworks-lrat roundworks-search

$(STAMPS)/docs: $(STAMPS)/python requirements/docs.txt
	$(PIP) -r requirements/docs.txt
	@touch $@

# The crates that a user may name in a manifest.
DOC_CRATES := $(CRATES) roundworks-gpu

rustdoc:
	RUSTDOCFLAGS=-Dwarnings cargo doc $(DOC_CRATES:%=-p %) --all-features --no-deps --locked --quiet

docs: setup $(STAMPS)/docs rustdoc ## the documentation as a site that needs no network, in build/docs; checks every link
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	$(BIN)/python tools/site/check.py build/docs

man: setup ## pages of man of every verb, made from the help, in build/man
	$(BIN)/python -m roundworks.cli.man build/man

header: ## write the C header again, after a change of crates/roundworks-capi
	cargo run --quiet -p roundworks-header

MSRV = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

crates: ## pack the crates that are published, compile them from their archives, an SBOM for each, document them
	cargo package $(CRATES:%=-p %) --locked --target-dir target/package
	for crate in $(CRATES); do bash tools/sbom.sh $$crate pkg:cargo/$$crate@$(VERSION) --all-features \
	  > target/package/package/$$crate-$(VERSION).cdx.json; done
	RUSTDOCFLAGS=-Dwarnings cargo doc $(CRATES:%=-p %) --all-features --no-deps --locked --quiet

# The toolchain in use where it is that one: what `make test` runs is then tested with it, too.
OLDEST = $(shell rustc --version | grep -q '^rustc $(MSRV)\.' || echo +$(MSRV).0)

msrv: ## compile with the oldest Rust that Cargo.toml promises; wants rustup where that is not in use
	[ -z "$(OLDEST)" ] || rustup toolchain install $(MSRV).0 --profile minimal --no-self-update
	cargo $(OLDEST) build $(CRATES:%=-p %) --all-features --locked --target-dir target/msrv \
	  --config profile.dev.package.roundworks.opt-level=0

BASELINE ?= main
semver: ## compare the interface of the crates with that of BASELINE, a git revision; wants cargo-semver-checks
	cargo semver-checks $(CRATES:%=-p %) --baseline-rev $(BASELINE)

tables: $(STAMPS)/native ## write the tables of the documents again, from spec/ and results/
	$(BIN)/python tools/check_docs.py --write

rows: setup ## write the types of result rows again, after a change of spec/schema/row.json
	$(BIN)/python tools/row_types.py

netlists: setup ## write the generated SystemVerilog again, after a change of spec/ or of an interface
	$(BIN)/python -m roundworks.hardware.generate.netlists
	$(BIN)/python -m roundworks.hardware.generate.components
	$(BIN)/python -m roundworks.hardware.generate.rav

hardware: setup ## cores synthesised, estimated, routed; LIBRARIES="a.lib b.lib.gz" in addition to OSU 018
	bash tools/hardware_tables.sh

reproduce-full: setup ## the long runs: everything quick does, at full size, and hardware
	PROFILE=full CHECK=4 MODELS='zero-delay glitch' bash tools/hardware_tables.sh
	$(TRACKED) reproduce --profile full
	$(TRACKED) trials --full --part bounds
	$(TRACKED) report

lock: $(STAMPS)/python ## renew the pinned versions, no addresses in them
	$(BIN)/python -m pip install --quiet pip-tools
	for f in dev run page docs supply; do \
	  $(BIN)/pip-compile --quiet --generate-hashes --no-emit-options --no-emit-index-url --no-emit-find-links \
	    --no-emit-trusted-host --strip-extras --allow-unsafe -o requirements/$$f.txt requirements/$$f.in; done
	cargo update
	cd $(PEERS) && cargo update
	@echo "lock: now make licences"

clean: ## remove what was built; results/ stays
	rm -rf $(VENV) target dist report/build
