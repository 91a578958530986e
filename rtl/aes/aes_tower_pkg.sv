// GF(2^8) as a tower over GF(2^2) and GF(2^4), each with a normal basis: an inverse in it is four
// multiplications, one after the other, and linear maps. [CANRIGHT]
//
// GF(2^2) has the basis w^2, w with w^2 + w = 1; GF(2^4) the basis y^4, y with y^2 + y = w; GF(2^8)
// the basis z^16, z with z^2 + z = v, v being the element 0001 of GF(2^4). The high half of a value
// stands before the first element of its basis.
package aes_tower_pkg;

  function automatic logic [1:0] gf4_times(input logic [1:0] a, input logic [1:0] b);
    logic middle;
    middle = (a[1] ^ a[0]) & (b[1] ^ b[0]);
    return {(a[1] & b[1]) ^ middle, (a[0] & b[0]) ^ middle};
  endfunction

  // w times a.
  function automatic logic [1:0] gf4_scale(input logic [1:0] a);
    return {a[1] ^ a[0], a[1]};
  endfunction

  // w times a^2.
  function automatic logic [1:0] gf4_square_scale(input logic [1:0] a);
    return {a[1] ^ a[0], a[0]};
  endfunction

  // The inverse of a is a^2.
  function automatic logic [1:0] gf4_inverse(input logic [1:0] a);
    return {a[0], a[1]};
  endfunction

  function automatic logic [3:0] gf16_times(input logic [3:0] a, input logic [3:0] b);
    logic [1:0] middle;
    middle = gf4_scale(gf4_times(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]));
    return {gf4_times(a[3:2], b[3:2]) ^ middle, gf4_times(a[1:0], b[1:0]) ^ middle};
  endfunction

  // v times a^2.
  function automatic logic [3:0] gf16_square_scale(input logic [3:0] a);
    return {a[3] ^ a[1], ^a, a[1] ^ a[0], a[0]};
  endfunction

  // From the standard's basis into the tower.
  function automatic logic [7:0] to_tower(input logic [7:0] a);
    return {^(a & 8'h05), ^(a & 8'hc7), ^(a & 8'h21), ^(a & 8'h29),
            ^(a & 8'ha7), ^(a & 8'h17), ^(a & 8'hfd), ^(a & 8'h27)};
  endfunction

  // Back, and then the matrix of the S-box's affine map.
  function automatic logic [7:0] from_tower(input logic [7:0] a);
    return {^(a & 8'h82), ^(a & 8'hdd), ^(a & 8'h14), ^(a & 8'h34),
            ^(a & 8'hce), ^(a & 8'h40), ^(a & 8'he0), ^(a & 8'h64)};
  endfunction

endpackage
