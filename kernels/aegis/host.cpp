// The entries of aegis.cu on the host, for the tests: the same names, arguments and thread code.
#include "../aes/host_streams.hpp"
#include "aegis128l.hpp"

using namespace roundworks;
using namespace roundworks::aegis;

using One = Lanes<1>;

extern "C" {

ROUNDWORKS_STREAMS(aegis128l_seal_many, seal, Aegis128L<Warp, 4>)
ROUNDWORKS_STREAMS(aegis128l_open_many, open, Aegis128L<Warp, 4>)
ROUNDWORKS_STREAMS(aegis128l_tag32_seal_many, seal, Aegis128L<Warp, 8>)
ROUNDWORKS_STREAMS(aegis128l_tag32_open_many, open, Aegis128L<Warp, 8>)

// No entry of a device: a round of in[0 ..] with the key in[4 ..].
void aegis_round(const uint32_t* in, uint32_t* out) {
  One x[4], y[4];
  load(in, word<One>(0), x);
  load(in + 4, word<One>(0), y);
  aes::add_round(Tables<One>(host_tables()), x, y);
  store(out, word<One>(0), y);
}

}
