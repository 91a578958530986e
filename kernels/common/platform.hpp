// The one place that knows which compiler reads this: nvcc for a device, or g++ for the host.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define ROUNDWORKS_CODE __device__ __forceinline__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define ROUNDWORKS_SMALL_TILES  // there is no shared memory for others; the host has both
#endif
// The device's registers have no index: a loop over them must vanish.
#define ROUNDWORKS_UNROLL _Pragma("unroll")
#define ROUNDWORKS_ROLLED _Pragma("unroll 1")
#else
#define ROUNDWORKS_CODE inline
// The host has no such need, and g++ is quick where loops stay loops.
#define ROUNDWORKS_UNROLL
#define ROUNDWORKS_ROLLED
#endif
