// SPDX-License-Identifier: MIT
// Recordings that no honest process makes.
#include <random>

#include "record/recorded.hpp"
#include "record/recording.hpp"

using namespace support;
using namespace gpu::detail::record;
using gpu::detail::RecordingError;

namespace {

const Floats input{1, 2, 3, 4};

std::vector<Step> steps_of_a_call() {
    const Recorded made = recorded(input, [](const gpu::Array<float>& x) {
        const gpu::Array<float> y = doubled(x) + gpu::sum(x);
        return gpu::Array<float>(y.copy() + gpu::to_device(Floats{1, 1, 1, 1}));
    });
    REQUIRE(!made.recording.empty());
    return from_bytes(made.recording);
}

template <class Kind>
Kind& first(std::vector<Step>& steps) {
    for (Step& step : steps)
        if (auto* const found = std::get_if<Kind>(&step)) return *found;
    FAIL("the call has no such step");
    std::abort();
}

/// What the replay says of the call after this change.
template <class Change>
std::string refused(const Change& change) {
    std::vector<Step> steps = steps_of_a_call();
    change(steps);
    try {
        (void)replayed(to_bytes(steps), input);
    } catch (const RecordingError& error) {
        return error.what();
    }
    return "it was replayed";
}

}  // namespace

TEST_CASE("a recording is read back as it was written") {
    std::vector<Step> steps = steps_of_a_call();
    const std::string bytes = to_bytes(steps);
    std::vector<Step> again = from_bytes(bytes);
    CHECK(to_bytes(again) == bytes);
}

TEST_CASE("a recording with a number, a place or a size out of range is refused") {
    using Steps = std::vector<Step>;
    CHECK(refused([](Steps& s) { first<RawLaunch>(s).kernel = 77; }) ==
          "the recording names a kernel that isn't there");
    CHECK(refused([](Steps& s) { first<RawLaunch>(s).arguments[0].addresses[0].to.memory = 77; }) ==
          "the recording names a piece of memory that isn't there");
    CHECK(refused([](Steps& s) { first<RawLaunch>(s).arguments[0].addresses[0].to.offset = 17; }) ==
          "the recording goes beyond the end of an array");
    CHECK(refused([](Steps& s) { first<RawLaunch>(s).arguments[0].addresses[0].at = 1; }) ==
          "the recording has an address beyond an argument's end");
    CHECK(refused([](Steps& s) { first<RawLaunch>(s).arguments[2].bytes = "1"; }) ==
          "the recording has an argument of another size");
    CHECK(refused([](Steps& s) { first<RawLaunch>(s).arguments.pop_back(); }) ==
          "the recording launches a kernel with another number of arguments");
    CHECK(refused([](Steps& s) { first<ElementwiseLaunch>(s).kernel = first<RawLaunch>(s).kernel; }) ==
          "the recording launches a kernel as one of another kind");
    CHECK(refused([](Steps& s) { first<ElementwiseLaunch>(s).size = 1'000'000; }) ==
          "the recording launches a kernel in another shape");
    CHECK(refused([](Steps& s) { first<ElementwiseLaunch>(s).lengths = {4, 1}; }) ==
          "the recording launches a kernel in another shape");
    CHECK(refused([](Steps& s) { first<ReductionLaunch>(s).reduced = -4; }) ==
          "the recording launches a kernel in another shape");
    CHECK(refused([](Steps& s) { first<ReductionLaunch>(s).results = 9; }) ==
          "the recording launches a kernel in another shape");
    CHECK(refused([](Steps& s) { first<CopiedUp>(s).argument = 1; }) ==
          "the recording reads an argument that the call doesn't have");
    CHECK(refused([](Steps& s) { first<CopiedUp>(s).offset = ~std::uint64_t{0}; }) ==
          "the recording reads beyond the end of an argument");
    CHECK(refused([](Steps& s) { first<CopiedUp>(s).bytes = 17; }) ==
          "the recording reads beyond the end of an argument");
    CHECK(refused([](Steps& s) { first<CopiedDown>(s).from.offset = ~std::uint64_t{0}; }) ==
          "the recording goes beyond the end of an array");
    CHECK(refused([](Steps& s) { first<CopiedDown>(s).bytes = ~std::uint64_t{0}; }) ==
          "the recording goes beyond the end of an array");
    CHECK(refused([](Steps& s) { first<CopiedOnDevice>(s).to = first<CopiedOnDevice>(s).from; }) ==
          "the recording copies an array onto itself");
    CHECK(refused([](Steps& s) { first<Allocated>(s).bytes = ~std::uint64_t{0}; }) ==
          "the recording asks for too much memory");
    CHECK(refused([](Steps& s) { first<Allocated>(s).memory = 5; }) ==
          "the recording describes memory that isn't an array's");
    CHECK(refused([](Steps& s) { first<Allocated>(s).memory = 100'000; }) ==
          "the recording makes a piece of memory out of turn");
    CHECK(refused([](Steps& s) { s.insert(s.begin() + 3, Allocated{0, 16, false}); }) ==
          "the recording makes a piece of memory out of turn");
    CHECK(refused([](Steps& s) { first<Described>(s).lengths = {1 << 20, 1 << 20, 1 << 20, 1 << 20}; }) ==
          "the recording has too large a shape");
    CHECK(refused([](Steps& s) { first<Described>(s).lengths = {1000}; }) ==
          "the recording describes an array as larger than it is");
    CHECK(refused([](Steps& s) { s.insert(s.begin() + 3, Freed{0}); }) ==
          "the recording uses memory that it has freed");
    CHECK(refused([](Steps& s) { s.insert(s.end(), {Freed{0}, Freed{0}}); }) ==
          "the recording frees memory that isn't an array's");
    CHECK(refused([](Steps& s) { s.push_back(first<RawLaunch>(s)); }) ==
          "the recording uses a kernel outside check mode");
    CHECK(refused([](Steps& s) { s.insert(s.begin(), first<Kernel>(s)); }) ==
          "the recording uses a kernel outside check mode");
    CHECK(refused([](Steps& s) { s.push_back(CheckBegan{}); }) == "the recording doesn't have one call");
    CHECK(refused([](Steps& s) { std::erase_if(s, [](auto& x) { return std::holds_alternative<CheckEnded>(x); }); }) ==
          "the recording doesn't have one call");
}

TEST_CASE("a recording that is cut off or changed anywhere is refused, or is a recording") {
    std::vector<Step> steps = steps_of_a_call();
    const std::string bytes = to_bytes(steps);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_THROWS_AS((void)from_bytes(std::string_view(bytes).substr(0, length)), RecordingError);
    std::mt19937 random(17);
    for (int round = 0; round < 2000; ++round) {
        std::string changed = bytes;
        changed[random() % changed.size()] = static_cast<char>(random());
        try {
            std::vector<Step> read = from_bytes(changed);
            CHECK(to_bytes(read) == changed);
        } catch (const RecordingError&) {
        }
    }
}

// Nothing but the numbers is changed: another text is another kernel, which takes a compiler.
TEST_CASE("numbers that are changed in any way leave the replaying process whole") {
    std::vector<Step> steps = steps_of_a_call();
    const std::string bytes = to_bytes(steps);
    std::mt19937_64 random(18);
    int replays = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string changed = bytes;
        std::uint64_t number = 0;
        const std::size_t at = random() % (changed.size() - sizeof number);
        std::memcpy(&number, changed.data() + at, sizeof number);
        if (number > 100'000 && number < ~std::uint64_t{0} - 100'000) continue;   // within a text
        const std::uint64_t other = random() % 4 == 0 ? random() : number + random() % 64 - 32;
        std::memcpy(changed.data() + at, &other, sizeof other);
        try {
            (void)replayed(changed, input);
            ++replays;
        } catch (const RecordingError&) {
        } catch (const gpu::Error&) {
        }
    }
    CHECK(replays > 0);
}
