// SPDX-License-Identifier: MIT
// The inputs of a timed call are complete only when the clock runs: what begins before works on other values.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "run/sealed_memory.hpp"
#include "run/validate_reply.hpp"
#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

using protocol::CanaryRecord;
using protocol::Place;
using protocol::Type;
using protocol::ValueRecord;

template <class T>
std::vector<T> counting(std::size_t size, T first = 1) {
    std::vector<T> values(size);
    std::iota(values.begin(), values.end(), first);
    return values;
}

// The input memory with one argument in it.
struct Memory {
    template <class T>
    Memory(const std::vector<T>& values, ValueType type) {
        bytes.resize(64 + values.size() * sizeof(T));
        std::memcpy(bytes.data() + 64, values.data(), values.size() * sizeof(T));
        record.place = type.place;
        record.type = type.type;
        record.rank = 1;
        record.shape[0] = std::ssize(values);
        record.offset = 64;
        record.bytes = values.size() * sizeof(T);
    }
    template <class T>
    [[nodiscard]] std::vector<T> values() const {
        std::vector<T> read((bytes.size() - 64) / sizeof(T));
        std::memcpy(read.data(), bytes.data() + 64, read.size() * sizeof(T));
        return read;
    }
    std::vector<CanaryRecord> decoys() { return place_decoys(bytes, {&record, 1}); }

    std::vector<std::byte> bytes;
    ValueRecord record{};
};

constexpr ValueType ints{Place::host_vector, Type::int32};

template <class T>
std::size_t differences(const std::vector<T>& a, const std::vector<T>& b) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < a.size(); ++k) count += a[k] == b[k] ? 0 : 1;
    return count;
}

CallResult timed(const std::string& object, const std::string& function, std::span<const Value> arguments,
                std::vector<ValueType> results) {
    const Folder scratch;
    Session session(options_for(object, scratch));
    return session.timed_call(function, arguments, results);
}

}  // namespace

TEST_CASE("decoys are other values of the same array, in up to 16 places, and the records say what stood there") {
    const std::vector<int> before = counting<int>(1000);
    Memory memory(before, ints);
    const std::vector<CanaryRecord> canaries = memory.decoys();
    REQUIRE(canaries.size() >= 8);   // two of 16 draws may fall together
    CHECK(canaries.size() <= 16);
    std::vector<int> now = memory.values<int>();
    CHECK(differences(before, now) == canaries.size());
    for (const int value : now) CHECK(std::find(before.begin(), before.end(), value) != before.end());
    for (const CanaryRecord& one : canaries) {
        CHECK(one.argument == 0);
        REQUIRE(one.element < before.size());
        std::memcpy(&now[one.element], one.value, sizeof(int));
    }
    CHECK(now == before);
    const auto is_zero = [](std::byte one) { return one == std::byte(); };
    CHECK(std::all_of(memory.bytes.begin(), memory.bytes.begin() + 64, is_zero));
}

TEST_CASE("where the decoys are is drawn anew each time") {
    std::set<std::uint64_t> places;
    for (int repeat = 0; repeat < 8; ++repeat) {
        Memory memory(counting<int>(1 << 20), ints);
        for (const CanaryRecord& one : memory.decoys()) places.insert(one.element);
    }
    CHECK(places.size() > 100);
}

TEST_CASE("numbers, truths, small arrays and arrays of one value have no decoys") {
    CHECK(Memory(counting<int>(31), ints).decoys().empty());
    CHECK_FALSE(Memory(counting<int>(32), ints).decoys().empty());
    CHECK(Memory(std::vector<int>(1000, 7), ints).decoys().empty());
    CHECK(Memory(std::vector<int>{7}, {Place::scalar, Type::int32}).decoys().empty());
    std::vector<std::uint8_t> truths(1000);
    for (std::size_t k = 0; k < truths.size(); k += 2) truths[k] = 1;
    CHECK(Memory(truths, {Place::device_array, Type::boolean}).decoys().empty());
    CHECK_FALSE(Memory(truths, {Place::device_array, Type::uint8}).decoys().empty());
}

TEST_CASE("a record fits an element that the argument has, and nothing else") {
    for (int type = 0; type <= static_cast<int>(Type::float64); ++type)
        CHECK(protocol::element_bytes(static_cast<Type>(type)) == size_of(static_cast<Type>(type)));
    CHECK(protocol::element_bytes(static_cast<Type>(11)) == 0);
    protocol::Request request{};
    request.argument_count = 2;
    request.arguments[0] = Memory(counting<int>(100), ints).record;
    request.arguments[1] = Memory(std::vector<int>{7}, {Place::scalar, Type::int32}).record;
    const auto fits = [&](std::uint32_t argument, std::uint64_t element) {
        return protocol::fits({.argument = argument, .reserved = 0, .element = element, .value = {}}, request);
    };
    CHECK(fits(0, 0));
    CHECK(fits(0, 99));
    CHECK_FALSE(fits(0, 100));
    CHECK_FALSE(fits(0, std::numeric_limits<std::uint64_t>::max()));
    CHECK_FALSE(fits(1, 0));
    CHECK_FALSE(fits(2, 0));
    CHECK_FALSE(fits(std::numeric_limits<std::uint32_t>::max(), 0));
    request.arguments[0].type = static_cast<Type>(11);
    CHECK_FALSE(fits(0, 0));
}

TEST_CASE("a timed function works on the true values, whatever its arguments are") {
    const std::vector<float> x = counting<float>(1000), y = counting<float>(1000, 5000);
    const Value sum[] = {floats(x), floats(y)};
    const CallResult added = timed("bound", "add", sum, {float_array});
    REQUIRE(added.outcome == Outcome::returned);
    CHECK(added.canaries.size() >= 16);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(elements(added.results.at(0))[k] == x[k] + y[k]);
    CHECK(added.counts.launches == 1);
    CHECK(added.counts.copies_to_device == 0);

    const Value factor = value_of(std::vector<double>{3}, {Place::scalar, Type::float64});
    const Value scaled[] = {floats(x), factor};
    const CallResult in_place = timed("bound", "scale", scaled, {float_array});
    REQUIRE(in_place.outcome == Outcome::returned);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(elements(in_place.results.at(0))[k] == 3 * x[k]);

    constexpr ValueType doubles{Place::host_vector, Type::float64}, bytes{Place::host_vector, Type::uint8},
        longs{Place::host_vector, Type::int64};
    const std::vector<double> values = counting<double>(100);
    std::vector<std::uint8_t> mask(100);
    for (std::size_t k = 0; k < mask.size(); k += 3) mask[k] = 1;
    const std::vector<std::int64_t> counted = counting<std::int64_t>(100, -50);
    const Value on_host[] = {value_of(values, doubles), value_of(mask, bytes), value_of(counted, longs),
                             value_of(std::vector<std::int16_t>{2}, {Place::scalar, Type::int16})};
    const CallResult host = timed("bound", "host", on_host,
                                 {doubles, {Place::scalar, Type::boolean}, {Place::scalar, Type::uint64}, longs});
    CAPTURE(host.message);
    REQUIRE(host.outcome == Outcome::returned);
    for (std::size_t k = 0; k < 100; ++k) {
        CHECK(elements<double>(host.results.at(0))[k] == values[k] + 2);
        CHECK(elements<std::int64_t>(host.results.at(3))[k] == counted[k] + mask[k]);
    }

    constexpr ValueType single{Place::host_vector, Type::float32};
    const Value page_locked[] = {value_of(x, single), value_of(values, doubles)};
    const CallResult pinned = timed("bound", "pinned", page_locked, {single, doubles});
    CAPTURE(pinned.message);
    REQUIRE(pinned.outcome == Outcome::returned);
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(elements(pinned.results.at(0))[k] == 2 * x[k]);
    for (std::size_t k = 1; k < values.size(); ++k) CHECK(elements<double>(pinned.results.at(1))[k] == values[k]);
}

TEST_CASE("what was taken before the clock started has decoys in it, exactly where the grader knows of them") {
    const std::vector<float> x = counting<float>(1000);
    const Value argument = floats(x);
    const CallResult early = timed("attacks", "begins_early", {&argument, 1}, {float_array});
    REQUIRE(early.outcome == Outcome::returned);
    const std::vector<float> y = elements(early.results.at(0));
    REQUIRE(early.canaries.size() >= 8);
    const std::set<std::int64_t> places(early.canaries.begin(), early.canaries.end());
    for (std::size_t k = 0; k < x.size(); ++k)
        CHECK((y[k] != 2 * x[k]) == places.contains(static_cast<std::int64_t>(k)));
    const CallResult honest = timed("attacks", "correct", {&argument, 1}, {float_array});
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(elements(honest.results.at(0)).at(k) == 2 * x[k]);
    const Folder scratch;
    Session session(options_for("attacks", scratch));
    const CallResult untimed = session.call("begins_early", {&argument, 1}, {&float_array, 1});
    CHECK(untimed.canaries.empty());
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(elements(untimed.results.at(0)).at(k) == 2 * x[k]);
}

TEST_CASE("the check's own arrays stay as they are, lent ones as well") {
    const std::vector<float> x = counting<float>(5000);
    std::vector<float> owned_by_check = x;
    Value lent = floats({});
    lent.shape = {std::ssize(x)};
    lent.lent = std::as_bytes(std::span(owned_by_check));
    const Value own = floats(x);
    for (const Value* argument : {static_cast<const Value*>(&lent), &own}) {
        const CallResult reply = timed("attacks", "correct", {argument, 1}, {float_array});
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(reply.canaries.size() >= 8);
        CHECK(elements(reply.results.at(0)).back() == 10'000);
    }
    CHECK(owned_by_check == x);
    CHECK(elements(own) == x);
}
