// The one place that knows which compiler reads this: nvcc for a device, or g++ for the host.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define ROUNDWORKS_CODE __device__ __forceinline__
// The device's registers have no index: a loop over them must vanish.
#define ROUNDWORKS_UNROLL _Pragma("unroll")
#define ROUNDWORKS_ROLLED _Pragma("unroll 1")
#else
#define ROUNDWORKS_CODE inline
// The host has no such need, and g++ is quick where loops stay loops.
#define ROUNDWORKS_UNROLL
#define ROUNDWORKS_ROLLED
#endif
