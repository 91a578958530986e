// The nine words of AETHER, one round a clock or two.
//
// With two rounds a clock, the second of them is left out where single_i is high: behind a block of
// 48 bytes or less, and for the lengths.
module aether_state #(
  parameter int Rounds = 1,            // of a clock
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain,
  parameter int Quiet = 0,
  parameter int Gated = 0              // 1: a clock that comes only when the words move
) (
  input  logic                  clk_i,
  input  logic                  load_i,
  input  logic                  en_i,
  input  logic                  single_i,
  input  logic                  awake_i,
  input  logic [1151:0]         start_i,      // the state that load_i brings
  input  logic [384*Rounds-1:0] block_i,      // as those of aether_round, round by round
  input  logic [384*Rounds-1:0] stream_i,
  input  logic [1151:0]         feed_i,       // added to the new state
  output logic [384*Rounds-1:0] keystream_o,
  output logic [1151:0]         state_o
);
  logic [1151:0] state_q, state_d, first;

  if (Rounds == 1) begin : gen_one
    aether_round #(.Sbox(Sbox), .Mix(Mix), .Quiet(Quiet)) u_round (
      .state_i(state_q), .awake_i, .block_i, .stream_i, .feed_i, .keystream_o, .state_o(first)
    );
    assign state_d = first;
    logic unused;
    assign unused = single_i;
  end else begin : gen_two
    logic [1151:0] second;
    aether_round #(.Sbox(Sbox), .Mix(Mix), .Quiet(Quiet)) u_first (
      .state_i(state_q), .awake_i, .block_i(block_i[383:0]), .stream_i(stream_i[383:0]),
      .feed_i(feed_i & {1152{single_i}}), .keystream_o(keystream_o[383:0]), .state_o(first)
    );
    aether_round #(.Sbox(Sbox), .Mix(Mix), .Quiet(Quiet)) u_second (
      .state_i(first), .awake_i, .block_i(block_i[767:384]), .stream_i(stream_i[767:384]),
      .feed_i, .keystream_o(keystream_o[767:384]), .state_o(second)
    );
    assign state_d = single_i ? first : second;
  end

  if (Gated == 0) begin : gen_enabled
    always_ff @(posedge clk_i) begin
      if (load_i) state_q <= start_i;
      else if (en_i) state_q <= state_d;
    end
  end else begin : gen_gated
    for (genvar i = 0; i < 9; i++) begin : gen_word
      gated_word u_word (
        .clk_i, .write_i(load_i | en_i),
        .data_i(load_i ? start_i[128*i+:128] : state_d[128*i+:128]), .data_o(state_q[128*i+:128])
      );
    end
  end

  assign state_o = state_q;
endmodule
