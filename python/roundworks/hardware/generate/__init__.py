"""SystemVerilog that is written from data: gate netlists, S-boxes and matrices, wrappers, rounds."""

# The inner functions of Table 5 of [AETHER] in its order; here, for `--help` needs no more of the package.
INNER_FUNCTIONS = ("inner-f-aes", "inner-f-8", "inner-f-16", "inner-f-32")
