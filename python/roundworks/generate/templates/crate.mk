# {{ title }}: `make test` compiles the crate and runs its vectors on every back end of this CPU.
CARGO ?= cargo

.PHONY: test clean
test:
	$(CARGO) test --release

clean:
	$(CARGO) clean
