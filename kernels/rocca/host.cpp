// The entries of rocca.cu on the host, for the tests: the same names, arguments and thread code.
#include "../aes/host_streams.hpp"
#include "rocca_s.hpp"

using namespace roundworks;
using namespace roundworks::rocca;

extern "C" {

ROUNDWORKS_STREAMS(rocca_s_seal_many, seal, RoccaS<Warp>)
ROUNDWORKS_STREAMS(rocca_s_open_many, open, RoccaS<Warp>)

}
