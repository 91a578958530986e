# {{ title }}: `make test` simulates every core next to the description; it needs roundworks and both simulators.
ROUNDWORKS ?= roundworks
SIMULATORS ?= verilator icarus
CORES = {{ cores | join(" ") }}

.PHONY: test $(CORES)
test: $(CORES)

$(CORES):
	for each in $(SIMULATORS); do $(ROUNDWORKS) sim $@ --cores cores.toml --simulator $$each || exit 1; done
