// PerCycle rounds of the permutation, from round first_i on. Combinational.
//
// Eight at once: twelve rounds are four and eight. first_i = 12 stands for round -4, and the four
// rounds that do not exist are passed by.
module ascon_rounds #(
  parameter int PerCycle = 1  // 1, 2, 4 or 8
) (
  input  logic [319:0] state_i,
  input  logic [3:0]   first_i,
  output logic [319:0] state_o
);
  for (genvar i = 0; i < PerCycle; i++) begin : gen_round
    logic [319:0] from, to;
    if (i == 0) begin : gen_first
      assign from = state_i;
    end else if (i == 4) begin : gen_enter
      assign from = first_i[3] ? state_i : gen_round[i-1].to;
    end else begin : gen_follow
      assign from = gen_round[i-1].to;
    end
    assign to = ascon_pkg::round(from, first_i + 4'(i));
  end
  assign state_o = gen_round[PerCycle-1].to;
endmodule
