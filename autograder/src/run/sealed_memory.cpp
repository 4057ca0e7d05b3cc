// SPDX-License-Identifier: MIT
#include "run/sealed_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "support/parallel.hpp"
#include "support/process.hpp"

namespace course {
namespace {

constexpr std::size_t alignment = 64;

UniqueFd make_memory(const char* name, std::size_t bytes) {
    UniqueFd memory(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!memory) throw_errno("memfd_create");
    if (::ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) throw_errno("ftruncate of shared memory");
    return memory;
}

void seal(const UniqueFd& memory, int seals) {
    if (::fcntl(memory.get(), F_ADD_SEALS, seals) != 0) throw_errno("fcntl(F_ADD_SEALS)");
}

}  // namespace

Mapping::Mapping(int descriptor, std::size_t bytes) : bytes_(bytes) {
    void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED) throw_errno("mmap of shared memory");
    data_ = static_cast<std::byte*>(address);
}

Mapping::~Mapping() { ::munmap(data_, bytes_); }

InputMemory::InputMemory()
    : memory_(make_memory("course-input", protocol::input_bytes)), mapping_(memory_.get(), protocol::input_bytes) {
    // Our mapping stays writable; later ones aren't. Kernels before 5.1 don't have this seal: there, only the read-only
    // descriptor protects the input, and a wrong result is still judged by our own copy.
    if (::fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE) != 0 && errno != EINVAL)
        throw_errno("fcntl(F_ADD_SEALS)");
    seal(memory_, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    const std::string path = "/proc/self/fd/" + std::to_string(memory_.get());
    reader_ = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!reader_) throw_errno("open of the input memory");
}

std::vector<protocol::ValueRecord> InputMemory::write(std::span<const Value> values) {
    std::vector<protocol::ValueRecord> records;
    std::size_t offset = 0;
    for (const Value& value : values) {
        if (value.shape.size() > protocol::max_rank) throw std::length_error("an argument has more than 8 axes");
        const std::span<const std::byte> bytes = value.data();
        if (bytes.size() > protocol::input_bytes - offset) {
            throw std::length_error("the arguments of a call have more than 4 GiB");
        }
        protocol::ValueRecord record{};
        record.place = value.place;
        record.type = value.type;
        record.rank = static_cast<std::uint32_t>(value.shape.size());
        record.argument = static_cast<std::uint32_t>(records.size());
        std::copy(value.shape.begin(), value.shape.end(), record.shape);
        record.offset = offset;
        record.bytes = bytes.size();
        copy_bytes(mapping_.data() + offset, bytes.data(), bytes.size());
        records.push_back(record);
        offset = std::min((offset + bytes.size() + alignment - 1) / alignment * alignment, protocol::input_bytes);
    }
    return records;
}

OutputMemory::OutputMemory()
    : memory_(make_memory("course-output", protocol::output_bytes)), mapping_(memory_.get(), protocol::output_bytes) {
    seal(memory_, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

protocol::ClockPage& OutputMemory::clock() const noexcept {
    return *reinterpret_cast<protocol::ClockPage*>(mapping_.data() + protocol::clock_offset);
}

protocol::CanaryPage& OutputMemory::canaries() const noexcept {
    return *reinterpret_cast<protocol::CanaryPage*>(mapping_.data() + protocol::canary_offset);
}

void OutputMemory::clear_ledger() noexcept {
    constexpr std::uint64_t none = 0;  // LedgerPage::count
    std::memcpy(mapping_.data() + protocol::ledger_offset, &none, sizeof none);
}

void OutputMemory::poison(std::size_t used_bytes) {
    const std::uint64_t pattern = random_bits();
    auto* words = reinterpret_cast<std::uint64_t*>(mapping_.data());
    const std::size_t count = std::min(used_bytes, protocol::ledger_offset) / sizeof pattern;
    in_pieces(static_cast<std::int64_t>(count), std::int64_t{1} << 19,
              [&](std::int64_t begin, std::int64_t end) { std::fill(words + begin, words + end, pattern); });
}

std::uint64_t random_bits() {
    std::uint64_t bits = 0;
    while (bits == 0) {
        if (::getrandom(&bits, sizeof bits, 0) != sizeof bits && errno != EINTR) throw_errno("getrandom");
    }
    return bits;
}

namespace {

using protocol::CanaryRecord;
using protocol::ValueRecord;

struct Draw {
    std::uint64_t place, from;
};
using Draws = std::array<Draw, protocol::canaries_per_argument>;

Draws secret_draws() {
    Draws draws;
    while (::getrandom(draws.data(), sizeof draws, 0) != static_cast<ssize_t>(sizeof draws))
        if (errno != EINTR) throw_errno("getrandom");
    return draws;
}

bool takes_decoys(const ValueRecord& argument, std::uint64_t elements) noexcept {
    const bool numbers = argument.place != protocol::Place::scalar && argument.type != protocol::Type::boolean;
    return numbers && elements >= protocol::min_elements_for_canaries;
}

}  // namespace

std::vector<CanaryRecord> place_decoys(std::span<std::byte> input, std::span<const ValueRecord> arguments) {
    std::vector<CanaryRecord> canaries;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const ValueRecord& argument = arguments[k];
        const std::size_t bytes = protocol::element_bytes(argument.type);
        const std::uint64_t elements = bytes > 0 ? argument.bytes / bytes : 0;
        if (!takes_decoys(argument, elements)) continue;
        const auto first = canaries.size();
        std::byte* const values = input.data() + argument.offset;
        for (const Draw& draw : secret_draws()) {
            const std::uint64_t place = draw.place % elements;
            std::byte* const here = values + place * bytes;
            const std::byte* const other = values + draw.from % elements * bytes;
            const bool again = std::any_of(canaries.begin() + static_cast<std::ptrdiff_t>(first), canaries.end(),
                                           [&](const CanaryRecord& one) { return one.element == place; });
            if (again || std::memcmp(here, other, bytes) == 0) continue;
            CanaryRecord& one = canaries.emplace_back();
            one = {.argument = static_cast<std::uint32_t>(k), .reserved = 0, .element = place, .value = {}};
            std::memcpy(one.value, here, bytes);
            std::memcpy(here, other, bytes);
        }
    }
    return canaries;
}

}  // namespace course
