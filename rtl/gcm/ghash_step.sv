// A step of a multiplication in the field, Digit coefficients of one factor at a time, the highest
// first: sum_i * x^Digit + digit_i * h_i. Combinational.
module ghash_step #(
  parameter int Bits = 128,
  parameter logic [Bits-1:0] Reduction = gcm_pkg::Reduction,
  parameter int Digit = 10
) (
  input  logic [Bits-1:0]  sum_i,
  input  logic [Digit-1:0] digit_i,
  input  logic [Bits-1:0]  h_i,
  output logic [Bits-1:0]  sum_o
);
  function automatic logic [Bits-1:0] times_x(input logic [Bits-1:0] a);
    return {a[Bits-2:0], 1'b0} ^ (Reduction & {Bits{a[Bits-1]}});
  endfunction

  function automatic logic [Bits-1:0] next(
    input logic [Bits-1:0] sum, input logic [Digit-1:0] digit, input logic [Bits-1:0] h
  );
    logic [Digit:0][Bits-1:0] row;
    logic [Bits-1:0] shifted, power;
    shifted = sum;
    power = h;
    for (int i = 0; i < Digit; i++) begin
      row[i] = power & {Bits{digit[i]}};
      power = times_x(power);
      shifted = times_x(shifted);
    end
    row[Digit] = shifted;
    for (int step = 1; step <= Digit; step = 2 * step) begin
      for (int i = 0; i + step <= Digit; i = i + 2 * step) row[i] = row[i] ^ row[i+step];
    end
    return row[0];
  endfunction

  assign sum_o = next(sum_i, digit_i, h_i);
endmodule
