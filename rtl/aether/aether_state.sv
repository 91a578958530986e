// The nine words of AETHER, one round per cycle or up to four.
//
// With several rounds per cycle, those behind the one that last_i names are left out: behind the
// last block of a part, for the lengths, and where twenty rounds leave a rest.
module aether_state #(
  parameter int Rounds = 1,            // per cycle
  parameter int Sbox = aether_pkg::SboxTable,
  parameter int Mix = aether_pkg::MixPlain,
  parameter int Isolated = 0,
  parameter int Gated = 0              // 1: clock gates: it arrives only when the words move
) (
  input  logic                  clk_i,
  input  logic                  load_i,
  input  logic                  en_i,
  input  logic [Rounds-1:0]     last_i,       // one of them
  input  logic                  awake_i,
  input  logic [1151:0]         start_i,      // the state that load_i brings
  input  logic [384*Rounds-1:0] block_i,      // as those of aether_round, round by round
  input  logic [384*Rounds-1:0] stream_i,
  input  logic [1151:0]         feed_i,       // added to the new state
  output logic [384*Rounds-1:0] keystream_o,
  output logic [1151:0]         state_o
);
  logic [1151:0] state_q, state_d;

  for (genvar r = 0; r < Rounds; r++) begin : gen_round
    logic [1151:0] from, feed, next, chosen;
    if (r == 0) begin : gen_first
      assign from = state_q;
    end else begin : gen_other
      assign from = gen_round[r-1].next;
    end
    if (r == Rounds - 1) begin : gen_last
      assign feed = feed_i;
      assign chosen = next;
    end else begin : gen_perhaps
      assign feed = feed_i & {1152{last_i[r]}};
      assign chosen = last_i[r] ? next : gen_round[r+1].chosen;
    end
    aether_round #(.Sbox(Sbox), .Mix(Mix), .Isolated(Isolated)) u_round (
      .state_i(from), .awake_i, .block_i(block_i[384*r+:384]), .stream_i(stream_i[384*r+:384]),
      .feed_i(feed), .keystream_o(keystream_o[384*r+:384]), .state_o(next)
    );
  end
  assign state_d = gen_round[0].chosen;
  logic unused;
  assign unused = last_i[Rounds-1];  // the last round needs no name

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
