"""The kinds of result rows. Written by tools/row_types.py from spec/schema/row.json: change that."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from .base import Row


class ReproductionRow(Row):
    """A paper's value and ours."""

    # key of spec/papers/<paper>.toml
    paper: str
    table: str
    row: str
    column: str
    unit: str
    paper_value: float | str | None
    value: float | str | None
    # the rules are in python/roundworks/reproduce/verdicts.py
    status: Literal[
        "reproduced", "consistent", "agrees", "differs", "bounded", "refuted", "not-comparable", "open"
    ]
    # estimated: by synthesis, or placement and routing, and a model of delays and powers
    certainty: Literal["proven", "two-solvers", "one-solver", "heuristic", "estimated", "measured", None]
    # why the values differ, or how ours was obtained
    reason: str
    # the cell library or the machine that ours is of, where it is not the paper's
    platform: str | None = None
    # the row of the same table by whose values print and ours are divided; without it absolute values
    # were compared, or nothing
    against: str | None = None
    # ours over the print, each first divided by its value of that row
    ratio: float | None = None
    # what other printed values give for this one
    follows: float | str | None = None


class SearchRow(Row):
    """A design-space search."""

    words: int
    inputs: int
    active: int
    candidates: int
    searched: int
    found: int
    complete: bool
    threads: int
    # finished by earlier runs, whose seconds are not of this row
    resumed_chunks: int | None = None
    # of those found, up to the number wanted: positions of the blocks, and pi at the others
    structures: list[list[Any]] | None = None


class ExistenceRow(Row):
    """Whether a class of round structures has one with so much active F in every internal collision."""

    words: int
    inputs: int
    active: int
    # null: the time limit came first
    exists: bool | None
    certainty: Literal["proven", "one-solver", None]
    method: str
    # of a structure: the word added at each position, null where a block enters
    added: list[int | None] | None
    # structures that the solver proposed
    proposals: int
    # internal collisions that excluded proposals, with their images under symmetries
    paths: int
    # a word may be added at several positions; at one without it
    repeats: bool | None = None
    # lengths of the chains that are left
    undecided: list[list[int]] | None = None
    # structures of the class, where `search` counts them
    candidates: int | None = None


class SumsRow(Row):
    """A round of sums that a local search found: what its internal collisions cost at least."""

    words: int
    inputs: int
    # words that F changes in a round
    functions: int
    # words that a sum may add to its first term, at most
    terms: int
    # active F at which the search ended
    wanted: int
    # no internal collision of the round has fewer active F
    active: int
    certainty: Literal["proven"]
    # the round
    equations: list[str]
    # rounds that the search looked at
    tried: int


class FasterLeft(TypedDict):
    """An object in a row."""

    permutation: str
    rounds: int
    cycles: int
    instructions: int
    decided: bool
    differential: int
    linear: int
    spent: float
    paths: NotRequired[int]
    wanted: NotRequired[float]


class FasterBetween(TypedDict):
    """An object in a row."""

    permutation: str
    view: Literal["differential", "linear"]
    rounds: int
    reached: int
    spent: float
    paths: int
    wanted: NotRequired[float]


class FasterRow(Row):
    """Which configurations of a permutation could be faster than the best one that has its rounds."""

    bits: int
    # active S-boxes, differential and linear
    need: int
    # cycles of one AES instruction
    latency: int
    # whose latency it is
    cpu: str
    # of the best one's critical path, for a block
    cycles: int
    # AES instructions of the best one for a block, of one input once
    instructions: int
    configurations: int
    # those with a light trail wherever they would be faster
    out: int
    left: list[FasterLeft]
    # the ranked permutations of which fewer rounds may do
    between: list[FasterBetween] | None = None


class DesignRow(Row):
    """A streaming cipher as a design: what its word-wise argument gives and what it costs."""

    cipher: str
    # the file of the description, or the name in the catalogue
    source: str
    words: int
    inputs: int
    state_bits: int
    block_bytes: int
    # F that a round and its keystream apply, equal ones once, for each absorbed word; 0 where no part
    # of it is recorded as F
    f_per_block: float
    # fewest active F of an internal collision
    collision: int | None
    # fewest active F of a biased sum of keystream
    bias: int | None
    # log2 of the largest probability of one F over its lightest patterns; null: F has another form than
    # S-boxes, a binary matrix, S-boxes
    differential: float | None
    # log2 of the largest squared correlation of one F over its lightest patterns; null: likewise
    correlation: float | None
    init_rounds: int
    # fewest active F of the initialisation, difference in the nonce
    init_active: int | None
    # rounds after which every word depends on every word
    diffusion_rounds: int | None
    # fewest words of the state that give all of it; null: none of at most the bits of the key
    guessed: int | None
    # of the audit
    forgeries: int
    # the round and the keystream
    equations: list[str]


class InnerRow(Row):
    """How strong an inner function S . M . S is."""

    # the cipher whose matrix it has
    unit: str
    sbox: str
    # where each output bit of the S-box goes, from the lowest; null: all linear maps behind it
    wires: list[int] | None
    # linear maps that the value is the minimum over
    maps: int
    # log2 of the largest probability over the lightest patterns
    differential: float
    # log2 of the largest squared correlation over the lightest patterns
    correlation: float
    # lower: no map has less
    side: Literal["exact", "lower"]
    certainty: Literal["proven"]


class TrailRow(Row):
    """Whether a byte-wise truncated trail of a permutation of AES instructions has at most that many active S-boxes."""

    # a configuration, with /1,2,3,0 behind it for another shuffle, or the name of a design
    permutation: str
    view: Literal["differential", "linear"]
    # S-boxes of one input once, or as often as they are executed
    count: Literal["distinct", "executed"]
    rounds: int
    # active S-boxes
    most: int
    # null: the time limit came first
    light: bool | None
    # active S-boxes of the trail that was found
    weight: int | None
    solver: str
    # seconds that the query had
    limit: float
    # the active words of each state, as bits; of all trails without it
    path: list[int] | None = None


class BoundRow(Row):
    """A bound computed from a description."""

    cipher: str
    measure: Literal[
        "active-f",
        "diffusion",
        "collision",
        "bias",
        "guess-and-determine",
        "differential",
        "correlation",
        "active-sboxes",
        "related-key-sboxes",
        "related-tweak-sboxes",
        "related-key-trail",
        "related-key-boomerang",
        "collision-sboxes",
        "bias-sboxes",
        "trail",
        "trail-sboxes",
        "cluster",
        "impossible",
        "impossible-bits",
        "boomerang",
        "differential-linear",
        "avalanche",
        "dieharder",
        "degree",
        "nonlinear-invariant",
        "invariant-subspace",
        "slide",
        "integral",
        "integral-words",
        "integral-three-subsets",
        "superpoly",
        "recovery",
    ]
    rounds: int | None
    value: float | None
    # log2: the value is the logarithm of a probability or a correlation; -log2: a weight, which is
    # minus that
    unit: str
    side: Literal["exact", "lower", "upper"]
    certainty: Literal["proven", "two-solvers", "one-solver", "heuristic", "measured"]
    method: str
    # a trail or pattern that attains the value
    witness: dict[str, Any] | list[Any] | None
    # weight of the trail found, checked on the description
    upper: float | None = None
    view: Literal["differential", "linear"] | None = None
    # S-boxes of one input once, or as often as they are executed
    count: Literal["distinct", "executed"] | None = None
    solver: str | None = None
    # of the problem instance, without names
    fingerprint: str | None = None
    # over more rounds the value is at least this; not known where it is missing
    monotone: bool | None = None
    # the fewer rounds whose bound this is
    as_over: int | None = None


class AuditRow(Row):
    """One check of the mode audit."""

    cipher: str
    check: str
    verdict: Literal["forgery", "leak", "note", "pass"]
    title: str
    detail: str
    # hex inputs and outputs that anyone can check
    proof: dict[str, Any] | None


class BenchRow(Row):
    """Software speed, raw samples."""

    # the same for all rows measured in one process, interleaved; a ratio is of one run
    run: str
    cipher: str
    # roundworks, generated (from the description), or the peer that computes it
    library: str
    # of the library
    version: str
    # ours by name; of a peer, how it comes by its instructions
    backend: str
    # the language it is called from; c is generated code; python-into writes to a buffer of the caller
    surface: Literal["rust", "c", "python", "python-into"]
    # seal-many: one of many messages of this size, encrypted together; rekey: key set-up and a first
    # message; cold-start: the same with empty caches
    operation: Literal["encrypt", "decrypt", "seal-many", "rekey", "cold-start"]
    data_bytes: int
    ad_bytes: int
    # nanoseconds for one call, per sample
    samples_ns: list[float]
    # cycles for one call by the add-chain clock, per sample; may be empty
    samples_cycles: list[float]
    # sha256 of ciphertext || tag, checked against every other back end and library
    digest: str


class PermutationRow(Row):
    """Speed of a permutation, raw samples, each for one block."""

    # the same for all rows measured interleaved; a ratio is of one run
    run: str
    # as the Rust core names it, rounds behind it if they are not its own
    permutation: str
    rounds: float
    backend: str
    operation: Literal["permute", "inverse"]
    # chain: one block, each time the result of the last, in registers; call: as chain, through a call
    # and memory each time; many: blocks in one call; the last two: the same of generated C
    way: Literal["chain", "call", "many", "generated-call", "generated-many"]
    # in one call
    blocks: int
    block_bytes: int
    samples_ns: list[float]
    # by the add-chain clock; may be empty
    samples_cycles: list[float]


class InstructionRow(Row):
    """Cycles of one instruction of this CPU."""

    run: str
    # ternary: a bit-wise function of three operands
    instruction: Literal["aesenc", "xor", "ternary"]
    bits: Literal[128, 256, 512]
    measure: Literal["throughput", "latency"]
    samples_cycles: list[float]


class LimitRow(Row):
    """Cycles per byte that no kernel of a cipher beats on this CPU, from its instructions."""

    run: str
    cipher: str
    operation: Literal["encrypt", "decrypt"]
    # width of the registers that hold its words
    bits: Literal[128, 256, 512]
    measure: Literal["throughput", "latency"]
    cycles_per_byte: float
    derivation: str


class FilesRow(Row):
    """A file sealed, opened or copied, as a user does it."""

    # the same for all rows timed interleaved; a ratio is of one run
    run: str
    operation: Literal["cp", "seal", "open"]
    # of input and output: /dev/shm, or build/ of the checkout with the input in the page cache
    place: Literal["memory", "disk"]
    # whether the output is on the disk when the clock stops
    synced: bool
    data_bytes: int
    # nanoseconds from the start of the process to its end, per sample
    samples_ns: list[float]


class ScalingRow(Row):
    """The same work on a number of the cores of a machine."""

    # the same for all rows timed interleaved; a ratio is of one run
    run: str
    # seal-many: messages from Python; the others: a file in memory, by the command line
    operation: Literal["seal-many", "seal", "open"]
    cipher: str
    # on which the process was allowed to run
    cores: int
    # 1 of a file
    messages: int
    # in all
    data_bytes: int
    # nanoseconds for all of it, per sample
    samples_ns: list[float]


class ComparisonRow(Row):
    """One query put to another tool and to ours, one after the other, each in a fresh process."""

    # the same for all rows timed one after the other; a ratio is of one run
    run: str
    tool: str
    # commit of its checkout
    version: str
    their_solver: str
    cipher: str
    measure: Literal["active-sboxes", "trail", "trail-sboxes"]
    view: Literal["differential", "linear"]
    rounds: int
    # seconds that each side had
    limit: float
    # null: the limit came first
    their_value: float | None
    # from the start of the process to its end
    their_seconds: float
    # of the process and of those that it started
    their_cpu_seconds: float
    # null: the limit came first
    our_value: float | None
    # from the start of the process to its end, for all numbers of rounds up to this one
    our_seconds: float
    our_cpu_seconds: float
    # of our value
    side: Literal["exact", "lower", "upper"] | None = None
    # of our value
    certainty: Literal["proven", "two-solvers", "one-solver", "heuristic", "measured"] | None = None
    our_solver: str | None = None
    # differ: one of the two values is wrong; open: a side has none, or ours is a bound alone
    agreement: Literal["same", "differ", "open"]


class TrialRow(Row):
    """Attempts to make something fail that must hold, counted."""

    # what was attacked, or checked
    part: Literal["files", "memory", "inputs", "certificates", "bounds", "constant time", "supply", "builds"]
    name: str
    # what was done, and what must hold after it
    about: str
    tried: int
    passed: int
    # the first attempts after which it did not hold
    failed: list[str]
    # of the random choices, where there are any
    seed: int | None = None


class FuzzRow(Row):
    """A fuzz target run for some time from the committed corpus on."""

    # name in crates/roundworks-fuzz
    target: str
    # inputs run; seconds of the row are those of the processor
    executions: int
    # of the control flow that were reached
    edges: int
    # in the corpus when it ended, each with coverage of its own
    inputs: int
    # none: debug assertions and overflow checks alone
    sanitizer: Literal["none", "address"]
    # files of inputs that crash, hang or take too much memory; the first one ends the run
    findings: list[str]


class CodeRow(Row):
    """Calls of the compiled library, or of generated C as compiled, proven equal to the description."""

    # or permutation
    cipher: str
    backend: str
    # what CPUID reports: a name of roundworks.binary.features
    processor: str
    # refuse: to open with any other tag; incremental: of a message, or data of a MAC, in parts; one-
    # call: by the function that takes the key, too; many: of several messages in one call, of which
    # refuse-many spoils every second
    operation: Literal[
        "seal",
        "open",
        "refuse",
        "seal-incremental",
        "open-incremental",
        "refuse-incremental",
        "seal-one-call",
        "open-one-call",
        "refuse-one-call",
        "seal-many",
        "open-many",
        "refuse-many",
        "mac",
        "mac-verify",
        "mac-refuse",
        "mac-one-call",
        "mac-verify-one-call",
        "mac-refuse-one-call",
        "permute",
    ]
    lengths: Literal["few", "edges", "all"]
    verdict: Literal["proven", "differs", "not followed", "depends on a secret"]
    # calls, each of fixed lengths and for all inputs
    proven: int
    # calls wanted; the first that is not proven ends the run
    tried: int
    # executed in the calls that were proven
    instructions: int
    # bytes that depend on the key or on unseen data, in dead memory after the cipher was freed; the
    # maximum of all calls; not in rows that took a byte as public where its symbols were, and not their
    # sum
    left: int | None = None
    # such bytes in registers, likewise
    in_registers: int | None = None
    # why the first call that is not proven is not; empty if all are
    reason: str
    # SHA-256 of the library
    library: str
    # what compiled generated C, with its options; not in rows of the core's library
    compiler: str | None = None


class SelftestRow(Row):
    """Vectors run on one back end."""

    cipher: str
    backend: str
    available: bool
    vectors: int
    passed: int
    # vectors there are; more than `vectors` where a sample was run
    of: int | None = None


class DrawingRow(Row):
    """A drawing of a recorded graph, in Graphviz dot."""

    cipher: str
    title: str
    caption: str
    dot: str
    shows: Literal["round", "keystream", "trail", "core"] | None = None


class SolveRow(Row):
    """One solver at one instance of the solver race."""

    instance: str
    # of the problem instance, without names
    fingerprint: str
    solver: str
    # name and version, as the solver says it
    version: str
    # bounded: the time limit came first
    status: Literal["optimal", "infeasible", "bounded"]
    # proven by this solver
    lower: float
    # of the assignment found, checked; null where none was
    upper: float | None
    unit: str
    # seconds given; null where there was no limit
    time_limit: float | None


class CyclesRow(Row):
    """What the cycle model says of a description on a CPU; cycles are of one block."""

    cipher: str
    # name in spec/cpus.toml; measured: from rows of instructions
    cpu: str
    # how that CPU was found, where it is the machine's own
    profile: str | None = None
    # recorded; the last one may be half
    rounds: float
    # width of the registers, which hold a word of as many blocks as fit
    bits: Literal[128, 256, 512]
    # batched
    blocks: int
    block_bytes: int
    # AES instructions of one block
    aes: int
    # unpack, shuffle and blend
    mixing: int
    # xor and and that no round key takes
    logic: int
    # registers of one block
    live: int
    # critical path of one block
    path: int
    latency: float
    ports: float
    # ports, if all that can takes those of AES
    crowded: float
    registers: float
    # with those alone that AES-NI and AVX2 can name
    registers_avx2: float
    busiest: list[str]
    # how often the critical path leaves the AES instructions
    bypass_delays: int
    # reached by list scheduling, first start to last result
    scheduled: float
    # AES rounds of one input once, whatever their keys
    shared: bool
    minimum: float
    binds: Literal["latency", "ports", "registers", "schedule"]
    expected: float
    cycles_per_byte: float


class SimulationTest(TypedDict):
    """An object in a row."""

    name: str
    passed: bool
    message: NotRequired[str]


class SimulationRow(Row):
    """A core's bench, run on a simulator."""

    # name in rtl/cores.toml
    core: str
    # name -> choice, as --parameter takes them
    parameters: dict[str, str]
    # as of a synthesis; of a netlist there is none; absent in older rows
    source_sha256: str | None = None
    # what drives the core: C++ that shares nothing with the bench; unknown bits, a proof; a user of any
    # behaviour, model checking; probes and a t-test of a masked core. Absent: the bench in Python
    driver: Literal["cpp", "symbolic", "control", "leakage"] | None = None
    # yosys: what made a circuit of the source for a proof
    simulator: Literal["verilator", "icarus", "yosys"]
    # of the simulator
    version: str
    # what was simulated in place of the source
    netlist: str | None
    seed: int
    tests: list[SimulationTest]
    # what the bench reports, such as the cycles of a message of some length
    reports: list[dict[str, Any]]


class SynthesisRow(Row):
    """A core synthesised to a cell library by one script, timed by OpenSTA."""

    core: str
    # name -> choice, as --parameter takes them
    parameters: dict[str, str]
    # the name of its file; of several, what these begin with
    library: str
    # of the core's files without their comments, its top module and its parameters; absent in older
    # rows
    source_sha256: str | None = None
    # of all its files
    library_sha256: str
    # of the mapped Verilog; the name under which build/hw keeps it
    netlist_sha256: str
    # of roundworks.hardware.scripts
    script: str
    # target delay of the script
    target_ps: float | None
    # of all netlists of this run
    best_for: list[Literal["delay", "area", "area-delay", "energy"]]
    # minimum clock period, or delay from input to output of a combinational core
    period_ps: float
    area_um2: float
    # smallest two-input NAND
    nand2_um2: float
    kge: float
    cells: int
    flops: int
    # of the area, that of flip-flops
    flop_um2: float | None = None
    # buffers among the cells
    buffers: int
    # where energy was a goal: by the rows of kind power of the same command
    pj_per_bit: float | None = None
    # toggle model and traffic of that energy
    estimated: str | None = None
    # cell that drives every input but clock and reset
    driver: str
    # at every output
    load_ff: float
    voltage: float | None = None
    temperature_c: float | None = None
    # the library's default wire load, if it has one
    wire_load: str | None = None


class PowerMessageCycle(TypedDict):
    """An object in a row."""

    ad_bytes: int
    msg_bytes: int
    cycles: int


class PowerRow(Row):
    """Power of a synthesised core at a clock frequency, over simulated traffic."""

    core: str
    # name -> choice, as --parameter takes them
    parameters: dict[str, str]
    # as of a synthesis
    library: str
    library_sha256: str | None = None
    netlist_sha256: str | None = None
    script: str
    # where the activity comes from: simulation with the cells' delays, without, or one figure for every
    # net
    model: Literal["glitch", "zero-delay", "uniform"]
    # what the core processed meanwhile
    traffic: str | None = None
    # of each message in the traffic, where all have one length
    message_bytes: int | None = None
    # of associated data before it; none unless said
    ad_bytes: int | None = None
    # mean toggles of a net per cycle
    activity: float | None = None
    # of all nets, per cycle
    toggles: float | None = None
    # simulated
    cycles: int | None = None
    # cycles of other messages, by the core's formula, which its bench compares with simulation
    message_cycles: list[PowerMessageCycle] | None = None
    clock_mhz: float
    # cell that drives every input but clock and reset; a row without it has the boundary conditions of
    # before: inputs as steep as an inverter makes them, outputs loaded by four
    driver: str | None = None
    # at every output
    load_ff: float | None = None
    voltage: float | None = None
    temperature_c: float | None = None
    # the library's default wire load, if it has one
    wire_load: str | None = None
    # minimum period of the netlist by OpenSTA, under the same conditions; clock_mhz is the clock of the
    # estimate
    period_ps: float | None = None
    leakage_mw: float
    internal_mw: float
    switching_mw: float
    total_mw: float | None = None
    # power of charging the core's inputs, above all its clock; not in the total
    inputs_mw: float | None = None
    # of the traffic, leakage included
    energy_pj: float | None = None
    # of message in the traffic
    bits: int | None = None
    pj_per_bit: float | None = None


class EstimateRow(Row):
    """Estimated cost of the rounds of a class of structures, or of one synthesised in full."""

    words: int
    inputs: int
    # F in every internal collision, at least
    active: int
    # structures of the class, which cost alike
    found: int
    # core of the inner function
    inner: str
    library: str
    library_sha256: str
    model: Literal["glitch", "zero-delay"]
    # positions of the blocks, and pi at the others; null: of the class
    structure: list[list[int]] | None
    # without registers
    area_um2: float
    delay_ps: float
    # of a round at 100 MHz
    energy_pj: float
    # of the structure, synthesised
    made_area_um2: float | None = None
    made_delay_ps: float | None = None
    made_energy_pj: float | None = None


class FpgaRow(Row):
    """A core placed and routed on an FPGA."""

    core: str
    # name -> choice, as --parameter takes them
    parameters: dict[str, str]
    # as of a synthesis; absent in older rows
    source_sha256: str | None = None
    family: Literal["ice40", "ecp5"]
    device: str
    # of the placer
    seed: int
    # after routing
    fmax_mhz: float
    # whether the ports are on a chain of flip-flops, which are counted below
    harness: bool
    harness_flops: int
    # whether tables may become memories
    block_ram: bool | None = None
    # cells used, by the tool's names
    resources: dict[str, int]


class GpuRow(Row):
    """A workload on a GPU, or on the CPU of its machine, raw samples, each for all of its work."""

    # the same for all rows of one call; a ratio is of one run
    run: str
    # cpu, or the GPU by its driver's name
    device: str
    # a cipher, a mode without a tag as aes-128-ctr, or what a ceiling is of: memory, lop3, look-ups,
    # upload, download, both ways
    subject: str
    # whole is all of sealing, opening all of that
    stage: Literal["whole", "opening", "authentication", "encryption", "tweaks", "copy", "set", "ceiling"]
    # of the CPU; of a GPU its entry
    backend: str
    # where the message lies: host means that copies over the bus are timed
    place: Literal["host", "device"]
    messages: int
    # of each message
    data_bytes: int
    # of a sample, in `unit`
    work: float
    unit: Literal["bytes", "lop3", "look-ups"]
    samples_ns: list[float]
    # SHA-256 of the ciphertexts and tags
    digest: str | None


class RandomRow(Row):
    """A random cipher whose generated code was proven, tested and timed."""

    # rows of one run belong together
    run: str
    cipher: str
    # that tools/random_ciphers.py makes its description from
    seed: int
    # that were generated
    backends: list[str]
    # of all back ends, each proven equal to the description
    functions: int
    # of the description that the compiled back ends were tested with
    vectors: int
    # the fastest
    backend: str
    # of a message
    data_bytes: int
    # of one call
    messages: int
    # of one block, by kind
    operations: dict[str, int]
    # of one block in each window
    samples_ns: list[float]
    # of its operations where none waits for another, in the window next to it
    limit_samples_ns: list[float]


class GenerationRow(Row):
    """Files generated of a description, from reading it to their tests."""

    cipher: str
    target: Literal["c", "rust", "verilog"]
    # that were generated; of a core none
    backends: list[str]
    # of all back ends, each proven equal to the description
    functions: int
    # of these functions
    operations: int
    # whether the files were compiled and their tests run; the seconds include it
    tested: bool
