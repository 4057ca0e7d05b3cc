// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "emulator.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cuda/compile/skeletons.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

constexpr const char* before = R"(
#include <math.h>
#include <stddef.h>
#include <ucontext.h>
#include <utility>
#include <vector>
#define int64_t long_int64_t
#define uint64_t long_uint64_t
#undef INFINITY
#undef NAN
#define __device__
#define __global__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(n)
struct Dim { unsigned x, y, z; };
static Dim threadIdx, blockIdx, blockDim{256, 1, 1}, gridDim{1, 1, 1};
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
static inline float __int_as_float(int bits) { float f; __builtin_memcpy(&f, &bits, 4); return f; }
static ucontext_t home, thread_context[256];
static void __syncthreads() { swapcontext(&thread_context[threadIdx.x], &home); }
static void __syncwarp() { __syncthreads(); }
#undef __GNUC__  // texts take NVRTC's branches
)";

constexpr const char* after = R"(
static void (*call)(void* const*);
static void* const* call_arguments;
static bool finished[256];
static void thread_main() { call(call_arguments); finished[threadIdx.x] = true; }

static void run_grid(unsigned blocks, unsigned lines, void* const* arguments) {
    static char stacks[256 * 65536];
    gridDim.x = blocks;
    gridDim.y = lines;
    call_arguments = arguments;
    for (unsigned block = 0; block < blocks * lines; ++block) {
        blockIdx.x = block % blocks;
        blockIdx.y = block / blocks;
        for (unsigned t = 0; t < 256; ++t) {
            finished[t] = false;
            getcontext(&thread_context[t]);
            thread_context[t].uc_stack = {stacks + t * 65536, 0, 65536};
            thread_context[t].uc_link = &home;
            makecontext(&thread_context[t], thread_main, 0);
        }
        for (bool left = true; left;) {
            left = false;
            for (unsigned t = 0; t < 256; ++t) {
                if (finished[t]) continue;
                threadIdx.x = t;
                swapcontext(&home, &thread_context[t]);
                left = left || !finished[t];
            }
        }
    }
}

// As for cudaLaunchKernel: a pointer to each value; as many bytes are read as the parameter has.
template <class... P, size_t... I>
static void call_with(void (*kernel)(P...), void* const* a, std::index_sequence<I...>) {
    kernel(*(std::remove_const_t<P>*)a[I]...);
}
template <auto kernel, class... P>
static void unpack(void (*)(P...), unsigned blocks, unsigned lines, void* const* arguments) {
    call = [](void* const* a) { call_with(kernel, a, std::index_sequence_for<P...>()); };
    run_grid(blocks, lines, arguments);
}
)";

std::string compiler() {
    const char* chosen = std::getenv("CXX");
    return chosen && *chosen ? chosen : "c++";
}

// `wanted` by an argument and its place.
template <class F>
std::vector<void*> pointers_to(const std::vector<Argument>& arguments, const F& wanted) {
    std::vector<void*> pointers;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Argument& argument = arguments[k];
        if (!wanted(argument, k)) continue;
        const void* value = argument.is_array ? static_cast<const void*>(&argument.array) : argument.scalar;
        pointers.push_back(const_cast<void*>(value));
    }
    return pointers;
}
std::vector<void*> pointers_to(const std::vector<Argument>& arguments) {
    return pointers_to(arguments, [](const Argument&, std::size_t) { return true; });
}

}  // namespace

bool Emulator::available() { return std::system((compiler() + " --version > /dev/null 2>&1").c_str()) == 0; }

Emulator::Emulator(const KernelSource& source) : work_(work_of(source.plan)) {
    char folder[] = "/tmp/gpu-emulator-XXXXXX";
    if (!mkdtemp(folder)) throw std::runtime_error("mkdtemp failed");
    const std::string base = folder;
    std::ofstream text(base + "/kernel.cpp");
    text << before << source.text << after;
    const std::string& entry = source.entries.at(0);
    text << "extern \"C\" void launch(unsigned blocks, unsigned lines, void* const* arguments) { unpack<&" << entry
         << ">(&" << entry << ", blocks, lines, arguments); }\n";
    text.close();
    const std::string command = compiler() + " -std=c++17 -O1 -w -shared -fPIC " + base + "/kernel.cpp -o " + base +
                                "/kernel.so 2> " + base + "/log";
    const bool compiled = std::system(command.c_str()) == 0;
    if (compiled) library_ = dlopen((base + "/kernel.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    std::stringstream log;
    log << std::ifstream(base + "/log").rdbuf();
    std::filesystem::remove_all(base);
    if (!library_) throw std::runtime_error(source.name + ": " + log.str());
    launch_ = reinterpret_cast<Launch>(dlsym(library_, "launch"));
}

Emulator::Emulator(const ReductionText& text) : Emulator(reduction_skeleton(text)) { reduction_ = text; }

Emulator::~Emulator() {
    if (library_) (void)dlclose(library_);
}

void Emulator::elementwise(const ElementwiseSpace& space, const std::vector<Argument>& arguments,
                           const gpu::Strides& index_steps, std::int64_t most) {
    for (ElementwiseParts parts(space, work_, index_steps, most); parts.next();) {
        SpaceArgument argument = parts.argument();
        const std::vector<Argument> moved = parts.arguments(arguments);
        auto pointers = pointers_to(moved);
        pointers.insert(pointers.begin(), &argument);
        launch_(static_cast<unsigned>(parts.blocks()), 1, pointers.data());
    }
}

void Emulator::reduction(const ReductionSpace& space, const std::vector<Argument>& arguments, std::int64_t row) {
    ReductionSchedule launch = plan_launch(space, {.walk = threads_of(reduction_.plan).walk, .row = row});
    // Filled with a pattern: a partial result that nobody wrote would show.
    std::vector<unsigned char> scratch(static_cast<std::size_t>(launch.partials) * max_accumulator_bytes + 1, 0xa5);
    void* data = scratch.data();
    const auto run = [&](const Emulator& kernel, ReductionStep& step, std::vector<void*> pointers) {
        pointers.insert(pointers.begin(), {static_cast<void*>(&step.argument), static_cast<void*>(&data)});
        kernel.launch_(static_cast<unsigned>(step.tiles), static_cast<unsigned>(step.splits), pointers.data());
    };
    if (launch.steps > 0) run(*this, launch.step[0], pointers_to(arguments));
    if (launch.steps < 2) return;
    if (join_ == nullptr) join_ = std::make_unique<Emulator>(join_skeleton(reduction_));
    const std::size_t outputs = arguments.size() - static_cast<std::size_t>(space.results);
    run(*join_, launch.step[1], pointers_to(arguments, [&](const Argument& argument, std::size_t k) {
            return k >= outputs || argument.is_raw || !argument.is_array;
        }));
}
#endif
