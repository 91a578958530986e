// What the two small cores of the tests share.
package tiny_pkg;

  typedef enum int unsigned {
    KindXor = 0,
    KindSum = 1
  } kind_e;

endpackage
