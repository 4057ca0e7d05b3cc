// SPDX-License-Identifier: MIT
// Values through COURSE_BIND, on the host backend: objects/bound.cpp says what each function does.

#include <doctest/doctest.h>

#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

using protocol::Place;
using protocol::Type;

class Bound {
public:
    Bound() : session_(options_for("bound", scratch_)) {}
    CallReply call(const std::string& function, std::vector<Value> arguments, std::vector<ValueType> results) {
        return session_.call(function, arguments, results);
    }
    CallReply timed(const std::string& function, std::vector<Value> arguments, std::vector<ValueType> results) {
        return session_.timed_call(function, arguments, results);
    }

private:
    Scratch scratch_;
    Session session_;
};

const std::vector<float> six{1, 2, 3, 4, 5, 6};

Value matrix(std::int64_t rows, std::int64_t columns) { return value_of(six, float_array, {rows, columns}); }

}  // namespace

TEST_CASE("arrays go in and out of the device, and only the function's own work is counted") {
    Bound object;
    for (int repeat = 0; repeat < 2; ++repeat) {
        const CallReply reply = object.call("add", {matrix(2, 3), matrix(2, 3)}, {float_array});
        CAPTURE(reply.message);
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(reply.results.at(0).shape == std::vector<std::int64_t>{2, 3});
        CHECK(elements(reply.results.at(0)) == std::vector<float>{2, 4, 6, 8, 10, 12});
        REQUIRE(reply.inputs_after.size() == 2);
        CHECK(elements(reply.inputs_after[1]) == six);
        CHECK(reply.counts.launches == 1);
        CHECK(reply.counts.allocations == 1);
        CHECK(reply.counts.copies_to_device == 0);
        CHECK(reply.counts.copies_to_host == 0);
        CHECK(reply.counts.synchronizations == 0);
    }
}

TEST_CASE("a timed call gives the same results and counts") {
    Bound object;
    object.call("add", {floats(six), floats(six)}, {float_array});
    const CallReply reply = object.timed("add", {floats(six), floats(six)}, {float_array});
    CAPTURE(reply.message);
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.results.at(0)) == std::vector<float>{2, 4, 6, 8, 10, 12});
    CHECK(reply.counts.launches == 1);
    CHECK(reply.seconds > 0);
}

TEST_CASE("an argument that the function may change goes back among the results") {
    Bound object;
    const Value factor = value_of(std::vector<double>{3}, {Place::scalar, Type::float64});
    const CallReply reply = object.call("scale", {floats(six), factor}, {float_array});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.results.at(0)) == std::vector<float>{3, 6, 9, 12, 15, 18});
    REQUIRE(reply.inputs_after.size() == 1);   // one for each array argument; nothing to compare here
    CHECK(reply.inputs_after[0].shape.empty());
    CHECK(reply.inputs_after[0].bytes.empty());
}

TEST_CASE("a pair goes back as two results, arrays in row-major order") {
    Bound object;
    const CallReply reply = object.call("transposed", {matrix(2, 3)}, {float_array, {Place::scalar, Type::int32}});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.results.at(0).shape == std::vector<std::int64_t>{3, 2});
    CHECK(elements(reply.results.at(0)) == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(elements<int>(reply.results.at(1)) == std::vector<int>{2});
    CHECK(reply.results.at(1).shape.empty());
}

TEST_CASE("host vectors of several types, a tuple, and a vector that the function changes") {
    Bound object;
    const CallReply reply = object.call(
        "host",
        {value_of(std::vector<double>{1, 2, 3}, {Place::host_vector, Type::float64}),
         value_of(std::vector<std::uint8_t>{1, 0, 1}, {Place::host_vector, Type::uint8}),
         value_of(std::vector<std::int64_t>{7, 7, 7}, {Place::host_vector, Type::int64}),
         value_of(std::vector<std::int16_t>{10}, {Place::scalar, Type::int16})},
        {{Place::host_vector, Type::float64}, {Place::scalar, Type::boolean}, {Place::scalar, Type::uint64},
         {Place::host_vector, Type::int64}});
    CAPTURE(reply.message);
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements<double>(reply.results.at(0)) == std::vector<double>{11, 12, 13});
    CHECK(elements<std::uint8_t>(reply.results.at(1)) == std::vector<std::uint8_t>{1});
    CHECK(elements<std::uint64_t>(reply.results.at(2)) == std::vector<std::uint64_t>{2});
    CHECK(elements<std::int64_t>(reply.results.at(3)) == std::vector<std::int64_t>{8, 7, 8});
    REQUIRE(reply.inputs_after.size() == 3);
    CHECK(elements<double>(reply.inputs_after[0]) == std::vector<double>{1, 2, 3});   // passed by value: a copy
    CHECK(elements<std::uint8_t>(reply.inputs_after[1]) == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(reply.inputs_after[2].bytes.empty());
}

TEST_CASE("views are parameters too, and a function may be noexcept or take nothing") {
    Bound object;
    const ValueType ints{Place::device_array, Type::int32};
    const CallReply filled = object.call("fill", {value_of(std::vector<int>{0, 0}, ints),
                                                  value_of(std::vector<int>{5, 6}, ints)}, {ints});
    CAPTURE(filled.message);
    REQUIRE(filled.outcome == Outcome::returned);
    CHECK(elements<int>(filled.results.at(0)) == std::vector<int>{6, 7});
    const CallReply answer = object.call("answer", {}, {{Place::scalar, Type::float32}});
    REQUIRE(answer.outcome == Outcome::returned);
    CHECK(elements(answer.results.at(0)) == std::vector<float>{42});
}

TEST_CASE("copies that the function makes itself are counted") {
    Bound object;
    const CallReply reply = object.call("on_the_host", {floats(six)}, {float_array});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.counts.copies_to_host == 1);
    CHECK(reply.counts.bytes_to_host == 24);
    CHECK(reply.counts.copies_to_device == 1);
    CHECK(reply.counts.launches == 0);
}

TEST_CASE("other types than exercise.toml's are refused on either side") {
    Bound object;
    const CallReply argument = object.call("add", {floats(six)}, {float_array});
    CHECK(argument.outcome == Outcome::missing_function);
    CHECK(argument.message ==
          "add takes (gpu::Array<float>, gpu::Array<float>), but is called with (gpu::Array<float>)");
    const CallReply result = object.call("answer", {}, {{Place::scalar, Type::float64}});
    CHECK(result.outcome == Outcome::bad_reply);
    CHECK(result.message == "the runner broke the protocol: value 0 is a scalar of float32; exercise.toml says a "
                            "scalar of float64");
}

TEST_CASE("libgpu's errors are the call's outcome, and the next call works") {
    Bound object;
    const auto calls = [&] {   // of this runner
        const CallReply reply = object.call("calls", {}, {{Place::scalar, Type::int32}});
        CAPTURE(reply.message);
        REQUIRE(reply.outcome == Outcome::returned);
        return elements<int>(reply.results.at(0)).at(0);
    };
    CHECK(calls() == 1);
    const CallReply compile = object.call("does_not_compile", {floats(six)}, {float_array});
    CHECK(compile.outcome == Outcome::kernel_does_not_compile);
    CHECK(compile.message.find("nosuchname") != std::string::npos);
    CHECK(calls() == 2);
    const CallReply shapes = object.call("wrong_shapes", {floats(six), floats({1, 2})}, {float_array});
    CHECK(shapes.outcome == Outcome::exception);
    CHECK(shapes.message.starts_with("your code threw gpu::ShapeError: "));
    CHECK(calls() == 3);
    const CallReply fault = object.call("writes_nowhere", {floats(six)}, {float_array});
    CHECK(fault.outcome == Outcome::kernel_fault);
    CHECK(fault.message.find("kernel nowhere: block (0,0,0) thread (0,0,0) writes") != std::string::npos);
    CHECK(calls() == 1);   // a fresh one: a GPU would be lost
    CHECK(object.timed("does_not_compile", {floats(six)}, {float_array}).outcome == Outcome::kernel_does_not_compile);
    CHECK(calls() == 2);
}
