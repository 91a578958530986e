# {{ title }}: `make test` simulates every core next to the description; it needs roundworks and a simulator.
ROUNDWORKS ?= roundworks
SIMULATOR ?= icarus
CORES = {{ cores | join(" ") }}

.PHONY: test $(CORES)
test: $(CORES)

$(CORES):
	$(ROUNDWORKS) sim $@ --cores cores.toml --simulator $(SIMULATOR)
