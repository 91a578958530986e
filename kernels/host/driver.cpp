// A driver whose device is this CPU: the functions of libcuda that crates/roundworks-gpu calls, with
// kernels out of a host library. A real back end, for everything around the kernels.
//
// A stream does nothing until somebody waits for it, and then only what it must. So whoever forgets
// to wait reads old bytes. HOST_CUDA_* of the environment make it an old driver, a machine without a
// device, one with little memory of its own or pinned, or one that gives wrong bytes; the ledger says
// what was left in memory and what was called.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace {

// Whoever waits for an event waits for the last time it was recorded before.
struct Event {
  uint64_t recorded = 0, reached = 0;
  struct Stream* stream = nullptr;
};
struct Stream {
  std::deque<std::function<void()>> todo;
};

Stream null_stream;
std::map<uintptr_t, size_t> memory, pinned;
uint64_t in_use = 0, freed_dirty = 0;
std::string calls, entries, copied_out;
thread_local std::vector<void*> contexts;

Stream& of(void* stream) { return stream ? *static_cast<Stream*>(stream) : null_stream; }

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  return text ? strtoull(text, nullptr, 10) : otherwise;
}

void drain(Stream& s, const Event* event = nullptr, uint64_t time = 0) {
  while (!s.todo.empty() && !(event && event->reached >= time)) {
    auto one = s.todo.front();
    s.todo.pop_front();
    one();
  }
}

bool inside(uintptr_t p, size_t n) {
  auto found = memory.upper_bound(p);
  if (found == memory.begin()) return false;
  --found;
  return p + n <= found->first + found->second;
}

bool is_dirty(const void* p, size_t n) {
  const uint8_t* bytes = static_cast<const uint8_t*>(p);
  return std::any_of(bytes, bytes + n, [](uint8_t byte) { return byte; });
}

// Structures by value, laid out as kernels/aes has them.
struct Keys {
  uint32_t words[60], rounds;
};
struct Counter {
  uint32_t nonce[3], first;
};

// An entry, and how many of these its arguments begin with: a real driver reads that from the image.
struct Function {
  void* entry;
  std::string name;
  unsigned structures;
  bool operator<(const Function& other) const { return entry < other.entry; }
};
std::set<Function> functions;

unsigned structures_of(const std::string& name) {
  const bool ctr = name.size() > 4 && name.substr(name.size() - 4) == "_ctr";
  if (ctr || name == "gcm_tag" || name == "gcm_check") return 2;
  return name.substr(0, 3) == "gcm";
}

// Whole numbers and addresses each take a word of a call on every machine we test on, and an entry
// does not see the words behind those it wants.
template <typename... Structures>
std::function<void()> call_of(void* entry, void** params) {
  std::tuple<Structures...> given;
  std::apply([&](auto&... one) { (..., memcpy(&one, *params++, sizeof one)); }, given);
  std::array<uint64_t, 12> words = {};
  for (size_t i = 0; i < words.size() && params[i]; i++) memcpy(&words[i], params[i], 8);
  return [=] {
    std::apply([=](auto... all) { reinterpret_cast<void (*)(decltype(all)...)>(entry)(all...); },
               std::tuple_cat(given, words));
  };
}

// What a pool keeps, by size.
struct Pool {
  uint64_t threshold = 0, used = 0, kept_bytes = 0;
  std::multimap<size_t, void*> kept;

  void release(uint64_t threshold) {
    while (used + kept_bytes > threshold && !kept.empty()) {
      const auto [n, p] = *kept.begin();
      kept.erase(kept.begin());
      kept_bytes -= n, in_use -= n;
      free(p);
    }
  }
};
std::set<Pool*> pools;
std::map<void*, Pool*> pool_of;

constexpr int OK = 0, INVALID = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, NO_CONTEXT = 201,
              NO_BINARY = 209, NOT_FOUND = 500;

}  // namespace

extern "C" {

// The ledger.
uint64_t host_cuda_freed_dirty() { return freed_dirty; }
uint64_t host_cuda_live() { return memory.size(); }
uint64_t host_cuda_bytes() { return in_use; }
uint64_t host_cuda_pinned() { return pinned.size(); }
uint64_t host_cuda_contexts() { return contexts.size(); }
const char* host_cuda_calls() { return calls.c_str(); }
// A line for each that ran: an entry's name and what its block shares, the bytes of a copy to the host.
const char* host_cuda_entries() { return entries.c_str(); }
const char* host_cuda_copied_out() { return copied_out.c_str(); }

int cuGetErrorName(int code, const char** name) {
  const std::map<int, const char*> names = {{INVALID, "CUDA_ERROR_INVALID_VALUE"},
                                            {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
                                            {NO_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
                                            {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"}};
  auto found = names.find(code);
  if (found == names.end()) return INVALID;
  *name = found->second;
  return OK;
}

int cuInit(unsigned) { return setting("HOST_CUDA_DEVICES", 1) ? OK : NO_DEVICE; }
int cuDriverGetVersion(int* v) { return *v = setting("HOST_CUDA_VERSION", 13000), OK; }
int cuDeviceGetCount(int* n) { return *n = setting("HOST_CUDA_DEVICES", 1), OK; }
int cuDeviceGet(int* device, int number) { return *device = number, OK; }
int cuDeviceGetName(char* name, int n, int) { return strncpy(name, "this CPU", n), OK; }
int cuDeviceGetAttribute(int* value, int which, int) {
  return *value = which == 75 ? 9 : which == 76 ? 0 : 4, OK;
}
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &null_stream, OK; }
int cuDevicePrimaryCtxRelease_v2(int) { return OK; }
int cuCtxPushCurrent_v2(void* context) { return contexts.push_back(context), OK; }
int cuCtxPopCurrent_v2(void** context) {
  if (contexts.empty()) return NO_CONTEXT;
  return *context = contexts.back(), contexts.pop_back(), OK;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
  *total = setting("HOST_CUDA_BYTES", 1 << 30);
  return *free = *total - in_use, OK;
}
int cuMemAlloc_v2(void** p, size_t n) {
  if (contexts.empty()) return NO_CONTEXT;
  if (in_use + n > setting("HOST_CUDA_BYTES", 1 << 30)) return OUT_OF_MEMORY;
  *p = aligned_alloc(256, (n + 255) / 256 * 256);
  memset(*p, 0xa5, n);
  memory[reinterpret_cast<uintptr_t>(*p)] = n;
  in_use += n;
  return OK;
}
// A device has no work left when memory goes back; here whoever frees has to have waited.
int cuMemFree_v2(void* p) {
  const size_t n = memory.at(reinterpret_cast<uintptr_t>(p));
  freed_dirty += is_dirty(p, n);
  memory.erase(reinterpret_cast<uintptr_t>(p));
  in_use -= n;
  free(p);
  return OK;
}
int cuMemHostAlloc(void** p, size_t n, unsigned) {
  if (n > setting("HOST_CUDA_PINNED", 1 << 30)) return OUT_OF_MEMORY;
  *p = aligned_alloc(4096, (n + 4095) / 4096 * 4096);
  memset(*p, 0xa5, n);
  pinned[reinterpret_cast<uintptr_t>(*p)] = n;
  return OK;
}
int cuMemFreeHost(void* p) {
  auto found = pinned.find(reinterpret_cast<uintptr_t>(p));
  if (found == pinned.end()) return INVALID;
  freed_dirty += is_dirty(p, found->second);
  pinned.erase(found);
  return free(p), OK;
}

static int later(void* stream, std::function<void()> work) {
  if (contexts.empty()) return NO_CONTEXT;
  return of(stream).todo.push_back(work), OK;
}

// Memory of a pool: what is freed is kept for the next allocation of its size.
int cuMemPoolCreate(Pool** pool, const int* props) {
  const int wanted[4] = {1, 0, 1, 0};  // pinned, not shared, of device 0
  if (!std::equal(wanted, wanted + 4, props) || is_dirty(props + 4, 72)) return INVALID;
  return pools.insert(*pool = new Pool), OK;
}
int cuMemPoolSetAttribute(Pool* pool, int which, uint64_t* value) {
  if (which != 4) return INVALID;
  return pool->threshold = *value, OK;
}
int cuMemPoolGetAttribute(Pool* pool, int which, uint64_t* value) {
  if (which != 5 && which != 7) return INVALID;
  return *value = pool->used + (which == 5 ? pool->kept_bytes : 0), OK;
}
int cuMemPoolTrimTo(Pool* pool, size_t n) { return pool->release(n), OK; }
int cuMemPoolDestroy(Pool* pool) {
  pools.erase(pool);
  pool->release(0);
  if (!pool->used) delete pool;  // else with what a stream has still to free
  return OK;
}

// In the order of the stream: there at once, and gone when the stream comes to it.
int cuMemAllocFromPoolAsync(void** p, size_t n, Pool* pool, void*) {
  auto found = pool->kept.find(n);
  if (found != pool->kept.end()) {
    *p = found->second;
    pool->kept.erase(found);
    pool->kept_bytes -= n;
    memset(*p, 0xa5, n);
    memory[reinterpret_cast<uintptr_t>(*p)] = n;
  } else {
    if (in_use + n > setting("HOST_CUDA_BYTES", 1 << 30)) pool->release(0);
    if (const int code = cuMemAlloc_v2(p, n)) return code;
  }
  pool->used += n;
  return pool_of[*p] = pool, OK;
}
int cuMemFreeAsync(void* p, void* stream) {
  if (!inside(reinterpret_cast<uintptr_t>(p), 1)) return INVALID;
  return later(stream, [=] {
    const size_t n = memory.at(reinterpret_cast<uintptr_t>(p));
    Pool* pool = pool_of.at(p);
    freed_dirty += is_dirty(p, n);
    memory.erase(reinterpret_cast<uintptr_t>(p));
    pool_of.erase(p);
    pool->used -= n, pool->kept_bytes += n;
    pool->kept.emplace(n, p);
    if (pools.count(pool)) return;
    pool->release(0);
    if (!pool->used) delete pool;
  });
}

int cuMemsetD8Async(void* p, unsigned char value, size_t n, void* stream) {
  if (!inside(reinterpret_cast<uintptr_t>(p), n)) return INVALID;
  return later(stream, [=] { memset(p, value, n); });
}
int cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t n, void* stream) {
  if (!inside(reinterpret_cast<uintptr_t>(to), n)) return INVALID;
  return later(stream, [=] { calls += "u", memcpy(to, from, n); });
}
int cuMemcpyDtoHAsync_v2(void* to, const void* from, size_t n, void* stream) {
  if (!inside(reinterpret_cast<uintptr_t>(from), n)) return INVALID;
  return later(stream, [=] {
    calls += "d", copied_out += std::to_string(n) + "\n", memcpy(to, from, n);
    // Round keys of AES come back too, and go into kernels again.
    if (setting("HOST_CUDA_WRONG", 0) && n != sizeof(Keys)) memset(to, 0, n);
  });
}
int cuMemcpyDtoDAsync_v2(void* to, const void* from, size_t n, void* stream) {
  if (!inside(reinterpret_cast<uintptr_t>(to), n)) return INVALID;
  return later(stream, [=] { memcpy(to, from, n); });
}

int cuStreamCreate(void** stream, unsigned) { return *stream = new Stream, OK; }
int cuStreamDestroy_v2(void* stream) { return drain(of(stream)), delete &of(stream), OK; }
int cuStreamSynchronize(void* stream) {
  drain(of(stream));
  for (Pool* pool : pools) pool->release(pool->threshold);
  return OK;
}
int cuEventCreate(void** event, unsigned) { return *event = new Event, OK; }
int cuEventDestroy_v2(void* event) { return delete static_cast<Event*>(event), OK; }
int cuEventRecord(void* event, void* stream) {
  Event* e = static_cast<Event*>(event);
  const uint64_t time = ++e->recorded;
  e->stream = &of(stream);
  return later(stream, [=] { e->reached = time; });
}
static void reach(Event* e, uint64_t time) {
  if (e->reached < time) drain(*e->stream, e, time);
}
int cuEventSynchronize(void* event) {
  Event* e = static_cast<Event*>(event);
  return reach(e, e->recorded), OK;
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  Event* e = static_cast<Event*>(event);
  const uint64_t time = e->recorded;
  return later(stream, [=] { reach(e, time); });
}
int cuEventElapsedTime(float* ms, void*, void*) { return *ms = 1, OK; }

// The image of a module is the path of a host library.
int cuModuleLoadData(void** module, const char* image) {
  *module = dlopen(image, RTLD_NOW | RTLD_LOCAL);
  return *module ? OK : NO_BINARY;
}
int cuModuleUnload(void* module) { return dlclose(module), OK; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  const Function found = {dlsym(module, name), name, structures_of(name)};
  if (!found.entry) return NOT_FOUND;
  return *function = const_cast<Function*>(&*functions.insert(found).first), OK;
}
int cuFuncGetAttribute(int* value, int, void*) { return *value = 128, OK; }
int cuFuncSetAttribute(void*, int, int) { return OK; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* n, void*, int, size_t) { return *n = 2, OK; }

int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned shared, void* stream, void** params, void**) {
  const Function& f = *static_cast<Function*>(function);
  const auto work = f.structures == 2   ? call_of<Keys, Counter>(f.entry, params)
                    : f.structures == 1 ? call_of<Keys>(f.entry, params)
                                        : call_of<>(f.entry, params);
  return later(stream, [=, &f] {
    calls += "k", entries += f.name + " " + std::to_string(shared) + "\n", work();
  });
}

}
