// SPDX-License-Identifier: MIT
#include "host/device_library/device_library.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <gpu/error.hpp>

#include "base/fork_safe_mutex.hpp"

namespace gpu::detail::host {

namespace {

// The information about pieces is stored separately: kernels that write outside theirs don't damage it.
class DeviceHeap {
public:
    static DeviceHeap& of_this_process() {
        static auto& heap = *new DeviceHeap;
        return heap;
    }

    void* allocate(unsigned long long bytes) {
        if (bytes > device_heap_bytes) return nullptr;
        const std::size_t size = heap_piece(bytes);
        const std::lock_guard lock(mutex_);
        if (!begin()) return nullptr;
        for (auto piece = free_.begin(); piece != free_.end(); ++piece) {  // the first that is large enough
            if (piece->second < size) continue;
            const auto [address, whole] = *piece;
            free_.erase(piece);
            if (whole > size) free_[address + size] = whole - size;
            used_[address] = size;
            return reinterpret_cast<void*>(address);
        }
        return nullptr;
    }

    bool release(void* data) {
        if (data == nullptr) return true;
        const std::lock_guard lock(mutex_);
        const auto used = used_.find(reinterpret_cast<std::uintptr_t>(data));
        if (used == used_.end()) return false;
        auto piece = free_.emplace(used->first, used->second).first;
        used_.erase(used);
        if (const auto next = std::next(piece); next != free_.end() && piece->first + piece->second == next->first) {
            piece->second += next->second;
            free_.erase(next);
        }
        if (piece == free_.begin()) return true;
        if (const auto before = std::prev(piece); before->first + before->second == piece->first) {
            before->second += piece->second;
            free_.erase(piece);
        }
        return true;
    }

    [[nodiscard]] bool holds(std::uintptr_t address) const noexcept {
        return first_ != 0 && address - first_ < device_heap_bytes;
    }

private:
    bool begin() {
        if (has_begun_) return true;
        void* const memory = ::mmap(nullptr, device_heap_bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return false;
        first_ = reinterpret_cast<std::uintptr_t>(memory);
        free_[first_] = device_heap_bytes;
        return has_begun_ = true;
    }

    ForkSafeMutex mutex_;
    bool has_begun_ = false;
    std::atomic<std::uintptr_t> first_{0};
    std::map<std::uintptr_t, std::size_t> free_;
    std::unordered_map<std::uintptr_t, std::size_t> used_;
};

}  // namespace

void* allocate_in_kernel(unsigned long long bytes) noexcept { return DeviceHeap::of_this_process().allocate(bytes); }
bool is_on_kernels_heap(const void* address) noexcept {
    return DeviceHeap::of_this_process().holds(reinterpret_cast<std::uintptr_t>(address));
}
bool release_in_kernel(void* data) noexcept { return DeviceHeap::of_this_process().release(data); }

namespace {

constexpr int words = 5, bits = 32 * words, sequence_bits = 67;

using State = std::array<std::uint32_t, words>;
/// A step is linear over bits: row k is the result for a state in which only bit k is set.
using Matrix = std::array<State, bits>;

State one_step(const State& s) {
    const std::uint32_t t = s[0] ^ s[0] >> 2;
    return {s[1], s[2], s[3], s[4], s[4] ^ s[4] << 4 ^ t ^ t << 1};
}

State product(const State& state, const Matrix& matrix) {
    State sum{};
    for (int k = 0; k < bits; ++k) {
        const std::uint32_t chosen = 0U - (state[static_cast<std::size_t>(k / 32)] >> k % 32 & 1U);
        for (std::size_t w = 0; w < words; ++w) sum[w] ^= matrix[static_cast<std::size_t>(k)][w] & chosen;
    }
    return sum;
}

/// Matrices of 1, 2, 4, ... steps.
struct Powers {
    std::array<Matrix, sequence_bits + 64> of;

    Powers() {
        for (int k = 0; k < bits; ++k) {
            State bit{};
            bit[static_cast<std::size_t>(k / 32)] = std::uint32_t{1} << k % 32;
            of[0][static_cast<std::size_t>(k)] = one_step(bit);
        }
        for (std::size_t power = 1; power < of.size(); ++power)
            for (std::size_t k = 0; k < bits; ++k) of[power][k] = product(of[power - 1][k], of[power - 1]);
    }
};

}  // namespace

void skip_xorwow(unsigned* state, unsigned long long n, bool sequences) noexcept {
    static const auto* const powers = std::make_unique<Powers>().release();  // 4 ms, once
    State now{};
    std::copy_n(state, words, now.begin());
    for (std::size_t power = sequences ? sequence_bits : 0; n != 0; n >>= 1, ++power)
        if ((n & 1) != 0) now = product(now, powers->of[power]);
    std::copy_n(now.begin(), words, state);
}

// Functions that kernels call run on kernels' stacks, which may be abandoned: no locks and no exceptions there.

namespace {

// A slot for one texture. It is never freed, so a kernel with an old handle reads a texture or none, but nothing else.
struct Slot {
    std::atomic<std::uint64_t> handle{0};  // 0: no texture
    TextureLayout layout;
    TextureRows rows;
    std::byte* texels = nullptr;
    unsigned kind = 0;
};

constexpr std::size_t max_textures = 4096;

// A handle is its slot's number and, above it, the number of earlier textures: all are different.
constexpr int slot_bits = 16;

struct Table {
    std::array<Slot, max_textures> slots;
    ForkSafeMutex mutex;
    std::uint64_t made = 0;
};

Table& table() {
    static auto& all = *new Table;
    return all;
}

Slot& slot_of(std::uint64_t handle) {
    return table().slots[static_cast<std::size_t>(handle & ((1U << slot_bits) - 1)) % max_textures];
}

unsigned kind_of(DType elements) {
    switch (elements) {
        case DType::int8: return gpu_texel_int8;
        case DType::uint8: return gpu_texel_uint8;
        case DType::int16: return gpu_texel_int16;
        case DType::uint16: return gpu_texel_uint16;
        case DType::int32: return gpu_texel_int32;
        case DType::uint32: return gpu_texel_uint32;
        default: return gpu_texel_float;
    }
}

constexpr std::int64_t border = -1;

// One axis of a fetch: the texels there, and the second one's weight.
struct AxisTexels {
    std::int64_t first = border, second = border;
    float weight = 0;
};

// All in double: a float's product with a length, and its fraction, are exact there.
struct Axis {
    const TextureLayout& layout;
    TextureAddressing addressing;
    std::int64_t length;

    [[nodiscard]] AxisTexels at(float coordinate) const {
        double x = std::isnan(coordinate) ? 0 : coordinate;
        if (layout.normalized_coordinates) {
            if (addressing == TextureAddressing::wrap || addressing == TextureAddressing::mirror) {
                const double whole = std::floor(x), fraction = std::isinf(x) ? 0 : x - whole;
                const bool is_odd = std::fmod(whole, 2) != 0;
                x = addressing == TextureAddressing::mirror && is_odd ? 1 - fraction : fraction;
            }
            x *= static_cast<double>(length);
        }
        x = std::clamp(x, -2.0, static_cast<double>(length) + 2);  // beyond, all are alike
        if (layout.filter == TextureFilter::nearest) return {address(std::floor(x)), border, 0};
        const double from = std::floor(x - 0.5), steps = std::floor((x - 0.5 - from) * 256 + 0.5);
        return {address(from), address(from + 1), static_cast<float>(steps / 256)};
    }

private:
    [[nodiscard]] std::int64_t address(double place) const {
        const auto k = static_cast<std::int64_t>(place);
        if (k >= 0 && k < length) return k;
        if (addressing == TextureAddressing::border) return border;
        if (addressing == TextureAddressing::wrap && layout.normalized_coordinates)
            return (k % length + length) % length;
        return k < 0 ? 0 : length - 1;  // mirrored ones, too: the last texel's neighbour is itself
    }
};

void add(const Slot& slot, gpu_texels& texels, std::int64_t x, std::int64_t y, float weight) {
    if (x == border || y == border || weight == 0) return;
    texels.texel[texels.count] = slot.texels + static_cast<std::size_t>(y) * slot.rows.pitch +
                                 static_cast<std::size_t>(x) * slot.layout.texel_bytes();
    texels.weight[texels.count++] = weight;
}

const char* wrong_call(const TextureLayout& layout, const gpu_fetch& fetch) {
    if (fetch.function == gpu_fetch_tex1Dfetch && !layout.linear_memory)
        return "tex1Dfetch reads textures in linear memory: make this one with the option linear_memory, or call tex1D";
    if (fetch.function != gpu_fetch_tex1Dfetch && layout.linear_memory)
        return fetch.function == gpu_fetch_tex1D
                   ? "tex1D doesn't read textures in linear memory: call tex1Dfetch, or make this one without the "
                     "option linear_memory"
                   : "tex2D doesn't read textures in linear memory, and this one is: it is one for tex1Dfetch";
    if (fetch.function == gpu_fetch_tex1D && layout.rank != 1) return "tex1D of a texture with two axes: call tex2D";
    if (fetch.function == gpu_fetch_tex2D && layout.rank != 2) return "tex2D of a texture with one axis: call tex1D";
    return nullptr;
}

const char* wrong_type(const Slot& slot, const gpu_fetch& fetch) {
    if (static_cast<int>(fetch.channels) != slot.layout.channels)
        return slot.layout.channels == 1 ? "the texture's texels are single numbers, and the call asks for vectors"
               : slot.layout.channels == 2
                   ? "the texture's texels have 2 channels: ask for a vector of 2, such as float2"
                   : "the texture's texels have 4 channels: ask for a vector of 4, such as float4";
    const unsigned kind = slot.layout.normalized_values ? unsigned{gpu_texel_float} : slot.kind;
    if (fetch.kind == kind) return nullptr;
    switch (kind) {
        case gpu_texel_int8: return "the texture's elements are of type signed char, and the call asks for others";
        case gpu_texel_uint8: return "the texture's elements are of type unsigned char, and the call asks for others";
        case gpu_texel_int16: return "the texture's elements are of type short, and the call asks for others";
        case gpu_texel_uint16: return "the texture's elements are of type unsigned short, and the call asks for others";
        case gpu_texel_int32: return "the texture's elements are of type int, and the call asks for others";
        case gpu_texel_uint32: return "the texture's elements are of type unsigned int, and the call asks for others";
        default: break;
    }
    return slot.layout.normalized_values ? "the texture's values are normalized: ask for float, or vectors of float"
                                         : "the texture's elements are of type float, and the call asks for others";
}

}  // namespace

std::uint64_t begin_texture(const TextureLayout& layout, void* texels) {
    return begin_texture(layout, texels, {layout.row_bytes(), layout.addressing});
}

std::uint64_t begin_texture(const TextureLayout& layout, void* texels, const TextureRows& rows) {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    for (std::size_t k = 0; k < max_textures; ++k) {
        Slot& slot = all.slots[k];
        if (slot.handle.load(std::memory_order_relaxed) != 0) continue;
        slot.layout = layout;
        slot.rows = rows;
        slot.texels = static_cast<std::byte*>(texels);
        slot.kind = kind_of(layout.elements);
        const std::uint64_t handle = ++all.made << slot_bits | k;
        slot.handle.store(handle, std::memory_order_release);
        return handle;
    }
    throw Error("Texture: there are " + std::to_string(max_textures) +
                " textures already, and the host backend has no more: let some of them go");
}

EndedTexture end_texture(std::uint64_t handle) noexcept {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    Slot& slot = slot_of(handle);
    if (slot.handle.load(std::memory_order_relaxed) != handle) return {};
    slot.handle.store(0, std::memory_order_release);
    return {slot.texels, slot.layout.bytes()};
}

const char* find_texels(const gpu_fetch* fetch, gpu_texels* texels) noexcept {
    const Slot& slot = slot_of(fetch->texture);
    if (fetch->texture == 0 || slot.handle.load(std::memory_order_acquire) != fetch->texture)
        return fetch->texture == 0
                   ? "no texture has the handle 0: pass the kernel a gpu::Texture"
                   : "no living texture has this handle: pass the kernel a gpu::Texture, and keep it until then";
    const TextureLayout& layout = slot.layout;
    if (const char* const wrong = wrong_call(layout, *fetch)) return wrong;
    if (const char* const wrong = wrong_type(slot, *fetch)) return wrong;
    texels->count = 0;
    texels->kind = slot.kind;
    texels->normalized = layout.normalized_values;
    if (layout.linear_memory) {
        if (fetch->index >= 0 && fetch->index < layout.width) add(slot, *texels, fetch->index, 0, 1);
        return nullptr;
    }
    const AxisTexels x = Axis{layout, layout.addressing, layout.width}.at(fetch->x);
    const AxisTexels y =
        layout.rank == 2 ? Axis{layout, slot.rows.along_y, layout.height}.at(fetch->y) : AxisTexels{0, border, 0};
    add(slot, *texels, x.first, y.first, (1 - x.weight) * (1 - y.weight));
    add(slot, *texels, x.second, y.first, x.weight * (1 - y.weight));
    add(slot, *texels, x.first, y.second, (1 - x.weight) * y.weight);
    add(slot, *texels, x.second, y.second, x.weight * y.weight);
    return nullptr;
}

}  // namespace gpu::detail::host
