// SPDX-License-Identifier: MIT
#include "variant.hpp"

#include <algorithm>
#include <set>

namespace gallery {

namespace {

constexpr std::string_view names[] = {"padding", "volatile", "atomics", "template", "600 bytes"};

constexpr std::string_view types = R"(
struct VariantPadded { char tag; double wide; short small; };
struct VariantLarge { int numbers[150]; };
__device__ inline unsigned variant_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
)";

// A structure with padding, written by its members and copied whole, in shared memory and in a thread's own.
constexpr std::string_view padding = R"( {
    __shared__ VariantPadded shared;
    VariantPadded own;
    own.tag = 1, own.wide = 2, own.small = 3;
    if (variant_rank() == 0) shared.tag = 4, shared.wide = 5, shared.small = 6;
    __syncthreads();
    VariantPadded first = own, second = shared;
    if (first.wide != 2 || second.small != 6) __trap();
} )";

// A flag in shared memory that a thread of the last warp waits for.
constexpr std::string_view with_volatile = R"( {
    __shared__ int data, ready;
    volatile int* flag = &ready;
    if (variant_rank() == 0) data = *flag = 0;
    __syncthreads();
    if (variant_rank() == 0) { data = 7; __threadfence_block(); *flag = 1; }
    if (variant_rank() == blockDim.x * blockDim.y * blockDim.z - 1) {
        while (*flag == 0) {}
        __threadfence_block();
        if (data != 7) __trap();
    }
} )";

// A count of the threads, an exchange as a first write, and a largest number by a loop around atomicCAS().
constexpr std::string_view atomics = R"( {
    __shared__ int count, last, largest;
    if (variant_rank() == 0) count = largest = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    atomicExch(&last, 1);
    const int own = variant_rank();
    int seen = largest, wanted;
    do {
        wanted = seen;
        seen = atomicCAS(&largest, wanted, max(own, wanted));
    } while (seen != wanted);
    __syncthreads();
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    if (count != threads || largest != threads - 1 || last != 1) __trap();
} )";

std::size_t matching(const std::string& text, std::size_t open) {
    const char opening = text[open], end = opening == '(' ? ')' : '}';
    int depth = 0;
    for (std::size_t k = open; k < text.size(); ++k) {
        depth += text[k] == opening ? 1 : text[k] == end ? -1 : 0;
        if (depth == 0) return k;
    }
    return text.npos;
}

// Where "name(" of the kernel's definition stands.
std::size_t definition_of(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find("__global__"); at != text.npos; at = text.find("__global__", at + 1)) {
        const std::size_t found = text.find(name + "(", at), end = text.find(';', at);
        if (found != text.npos && found < end && text[found - 1] == ' ') return found;
    }
    throw FormatError("no kernel " + name + " to vary");
}

}  // namespace

std::span<const std::string_view> variant_names() { return names; }

KernelFile variant_of(const KernelFile& file, std::string_view name) {
    KernelFile varied = file;
    varied.counts.clear();
    const auto has = [name](std::string_view one) { return name == "all" || name == one; };
    std::string prologue;
    if (has("padding")) prologue += padding;
    if (has("volatile")) prologue += with_volatile;
    if (has("atomics")) prologue += atomics;
    std::replace(prologue.begin(), prologue.end(), '\n', ' ');
    std::set<std::string> done;
    for (LaunchSpec& launch : varied.launches) {
        const std::string kernel = launch.kernel.substr(0, launch.kernel.find('<'));
        const bool is_template = kernel != launch.kernel;
        if (has("600 bytes")) launch.arguments.push_back({.array = "", .bytes = std::vector<std::byte>(600)});
        if (has("template") && !is_template) launch.kernel += "<0>";
        if (!done.insert(kernel).second) continue;
        std::string& text = varied.text;
        const std::size_t at = definition_of(text, kernel), open = at + kernel.size();
        const std::size_t close = matching(text, open), body = text.find('{', close);
        if (body == text.npos) throw FormatError("kernel " + kernel + " has no body to vary");
        text.insert(body + 1, prologue);
        if (has("600 bytes")) text.insert(close, ", VariantLarge");
        if (has("template") && !is_template) text.insert(text.rfind("__global__", at), "template <int variant> ");
    }
    varied.text.insert(0, types);
    return varied;
}

}  // namespace gallery
