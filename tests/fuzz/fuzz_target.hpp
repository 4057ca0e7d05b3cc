// SPDX-License-Identifier: MIT
#pragma once

// What libFuzzer (libfuzzer.cpp) and the test of the committed corpus (replay.cpp) run: a target is a function that
// gives any bytes to one parser, and says what must hold of what comes back.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fuzz {

/// Something that must hold doesn't.
class BrokenProperty : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// @throws BrokenProperty unless it holds
inline void require(bool holds, const std::string& what) {
    if (!holds) throw BrokenProperty(what);
}

struct Target {
    const char* name;
    std::size_t largest;  ///< what the parser gets is never longer: its reader refuses more
    void (*run)(std::string_view input);
};

/// All targets of this program, by name.
const std::vector<Target>& targets();
/// @throws std::invalid_argument that lists them, if there is none of this name
const Target& target(std::string_view name);

struct Registration {
    explicit Registration(const Target& target);
};

/// `FUZZ_TARGET(name, max_bytes) { ... }`: its body has `input`. An exception that leaves it is a finding, as is a
/// crash.
#define FUZZ_TARGET(name, max_bytes)                                                         \
    static void fuzz_##name(std::string_view input);                                          \
    static const fuzz::Registration registration_of_##name({#name, max_bytes, fuzz_##name}); \
    static void fuzz_##name(std::string_view input)

/// Takes values off a text's front; behind its end all are 0.
class Values {
public:
    explicit Values(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    T take() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        const std::string_view taken = text(sizeof value);
        std::memcpy(&value, taken.data(), taken.size());
        return value;
    }
    /// A byte, or behind one of 255 a number of eight: most are small, and none is out of reach.
    std::uint64_t number() {
        const auto byte = take<std::uint8_t>();
        return byte == 255 ? take<std::uint64_t>() : byte;
    }
    /// So many bytes, or those that are left.
    std::string_view text(std::size_t most) {
        const std::string_view taken = bytes_.substr(0, most);
        bytes_.remove_prefix(taken.size());
        return taken;
    }
    /// A byte says how many.
    std::string_view text() { return text(take<std::uint8_t>()); }
    [[nodiscard]] std::string_view rest() const { return bytes_; }

private:
    std::string_view bytes_;
};

/// The text up to the next line that is "=====", and takes it off; the whole text if there is none.
std::string_view take_part(std::string_view& text);

/// A folder of this process, removed at its end.
const std::filesystem::path& scratch_folder();

void write(const std::filesystem::path& file, std::string_view text);

}  // namespace fuzz
