// SPDX-License-Identifier: MIT
// Values through COURSE_BIND, on the host backend: objects/bound.cpp says what each function does.

#include <doctest/doctest.h>

#include "judge/values/elements.hpp"
#include "run/session_pair.hpp"
#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

using protocol::Place;
using protocol::Type;

const std::vector<float> six{1, 2, 3, 4, 5, 6};
const std::vector<float> twice_six{2, 4, 6, 8, 10, 12};

class Bound {
public:
    Bound() : session_(options_for("bound", scratch_)) {}
    CallResult call(const std::string& function, std::vector<Value> arguments, std::vector<ValueType> results) {
        return session_.call(function, arguments, results);
    }
    CallResult checked(const std::string& function, std::vector<Value> arguments = {floats(six)},
                      std::vector<ValueType> results = {float_array}) {
        return session_.check_call(function, arguments, results, {.seconds_per_block = 5, .seconds = 60});
    }
    CallResult timed(const std::string& function, std::vector<Value> arguments, std::vector<ValueType> results) {
        return session_.timed_call(function, arguments, results);
    }

private:
    Folder scratch_;
    Session session_;
};

Value matrix(std::int64_t rows, std::int64_t columns) { return value_of(six, float_array, {rows, columns}); }

}  // namespace

TEST_CASE("arrays go in and out of the device, and only the function's own work is counted") {
    Bound object;
    for (int repeat = 0; repeat < 2; ++repeat) {
        const CallResult reply = object.call("add", {matrix(2, 3), matrix(2, 3)}, {float_array});
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
    const CallResult reply = object.timed("add", {floats(six), floats(six)}, {float_array});
    CAPTURE(reply.message);
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.results.at(0)) == std::vector<float>{2, 4, 6, 8, 10, 12});
    CHECK(reply.counts.launches == 1);
    CHECK(reply.seconds > 0);
}

TEST_CASE("an argument that the function may change goes back among the results") {
    Bound object;
    const Value factor = value_of(std::vector<double>{3}, {Place::scalar, Type::float64});
    const CallResult reply = object.call("scale", {floats(six), factor}, {float_array});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(elements(reply.results.at(0)) == std::vector<float>{3, 6, 9, 12, 15, 18});
    REQUIRE(reply.inputs_after.size() == 1);   // one for each array argument; nothing to compare here
    CHECK(reply.inputs_after[0].shape.empty());
    CHECK(reply.inputs_after[0].bytes.empty());
}

TEST_CASE("a pair goes back as two results, arrays in row-major order") {
    Bound object;
    const CallResult reply = object.call("transposed", {matrix(2, 3)}, {float_array, {Place::scalar, Type::int32}});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.results.at(0).shape == std::vector<std::int64_t>{3, 2});
    CHECK(elements(reply.results.at(0)) == std::vector<float>{1, 4, 2, 5, 3, 6});
    CHECK(elements<int>(reply.results.at(1)) == std::vector<int>{2});
    CHECK(reply.results.at(1).shape.empty());
}

TEST_CASE("host vectors of several types, a tuple, and a vector that the function changes") {
    Bound object;
    const CallResult reply = object.call(
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
    const CallResult filled = object.call("fill", {value_of(std::vector<int>{0, 0}, ints),
                                                  value_of(std::vector<int>{5, 6}, ints)}, {ints});
    CAPTURE(filled.message);
    REQUIRE(filled.outcome == Outcome::returned);
    CHECK(elements<int>(filled.results.at(0)) == std::vector<int>{6, 7});
    const CallResult answer = object.call("answer", {}, {{Place::scalar, Type::float32}});
    REQUIRE(answer.outcome == Outcome::returned);
    CHECK(elements(answer.results.at(0)) == std::vector<float>{42});
}

TEST_CASE("copies that the function makes itself are counted") {
    Bound object;
    const CallResult reply = object.call("on_the_host", {floats(six)}, {float_array});
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.counts.copies_to_host == 1);
    CHECK(reply.counts.bytes_to_host == 24);
    CHECK(reply.counts.copies_to_device == 1);
    CHECK(reply.counts.launches == 0);
}

TEST_CASE("other types than exercise.toml's are refused on either side") {
    Bound object;
    const CallResult argument = object.call("add", {floats(six)}, {float_array});
    CHECK(argument.outcome == Outcome::missing_function);
    CHECK(argument.message ==
          "add takes (gpu::Array<float>, gpu::Array<float>), but is called with (gpu::Array<float>)");
    const CallResult result = object.call("answer", {}, {{Place::scalar, Type::float64}});
    CHECK(result.outcome == Outcome::bad_reply);
    CHECK(result.message == "the runner broke the protocol: value 0 is a scalar of float32; exercise.toml says a "
                            "scalar of float64");
}

TEST_CASE("libgpu's errors are the call's outcome, and the next call works") {
    Bound object;
    const auto calls = [&] {   // of this runner
        const CallResult reply = object.call("calls", {}, {{Place::scalar, Type::int32}});
        CAPTURE(reply.message);
        REQUIRE(reply.outcome == Outcome::returned);
        return elements<int>(reply.results.at(0)).at(0);
    };
    CHECK(calls() == 1);
    const CallResult compile = object.call("does_not_compile", {floats(six)}, {float_array});
    CHECK(compile.outcome == Outcome::kernel_does_not_compile);
    CHECK(compile.message.find("nosuchname") != std::string::npos);
    CHECK(calls() == 2);
    const CallResult shapes = object.call("wrong_shapes", {floats(six), floats({1, 2})}, {float_array});
    CHECK(shapes.outcome == Outcome::exception);
    CHECK(shapes.message.starts_with("your code threw gpu::ShapeError: "));
    CHECK(calls() == 3);
    const CallResult fault = object.call("writes_nowhere", {floats(six)}, {float_array});
    CHECK(fault.outcome == Outcome::kernel_fault);
    CHECK(fault.message.find("kernel nowhere: block (0,0,0) thread (0,0,0) writes") != std::string::npos);
    CHECK(calls() == 1);   // a fresh one: a GPU would be lost
    CHECK(object.timed("does_not_compile", {floats(six)}, {float_array}).outcome == Outcome::kernel_does_not_compile);
    CHECK(calls() == 2);
}

TEST_CASE("the judge knows the bytes of an array that nobody wrote") {
    Bound object;
    const CallResult reply = object.call("never_written", {floats(six)}, {float_array});
    REQUIRE(reply.outcome == Outcome::returned);
    for (const std::byte byte : reply.results.at(0).bytes) CHECK(byte == std::byte{unwritten_byte});
}

TEST_CASE("a checked call gives its results, and the work of its kernels") {
    Bound object;
    for (int repeat = 0; repeat < 2; ++repeat) {
        const CallResult reply = object.checked("doubled");
        CAPTURE(reply.message);
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(elements(reply.results.at(0)) == twice_six);
        REQUIRE(reply.check);
        CHECK(reply.check->findings.empty());
        REQUIRE(reply.check->kernels.size() == 1);
        const KernelCounts& kernel = reply.check->kernels[0];
        CHECK(kernel.name == "unguarded");
        CHECK(kernel.launches == 1);
        CHECK(kernel.threads == 6);
        CHECK(kernel.work.global_reads == 6);
        CHECK(kernel.work.global_writes == 6);
        CHECK(kernel.work.global_sectors == 2);
        REQUIRE(kernel.lines.size() == 1);
        CHECK(kernel.lines[0].work == kernel.work);
    }
}

TEST_CASE("a checked call tells what was wrong in its kernels, also if it throws") {
    Bound object;
    const CallResult found = object.checked("past_the_end");
    CAPTURE(found.message);
    REQUIRE(found.outcome == Outcome::returned);
    REQUIRE(found.check);
    REQUIRE(found.check->findings.size() == 1);
    CHECK(found.check->findings[0].kind == FindingKind::out_of_bounds);
    CHECK(found.check->findings[0].variable == "x");
    CHECK(found.check->findings[0].what.find("x[6]") != std::string::npos);
    CHECK(found.check->findings[0].who.find("thread (6,0,0)") != std::string::npos);
    const CallResult threw = object.checked("past_the_end_and_throws");
    CHECK(threw.outcome == Outcome::exception);
    CHECK(threw.message == "your code threw std::runtime_error: enough");
    REQUIRE(threw.check);
    CHECK(threw.check->findings.size() == 1);
    CHECK(object.checked("doubled").check->findings.empty());   // what went before is forgotten
}

TEST_CASE("an array that nobody wrote is known as such in check mode, though the runner fills it") {
    Bound object;
    const CallResult reply = object.checked("adds_to_nothing");
    REQUIRE(reply.check);
    REQUIRE(reply.check->findings.size() == 1);
    CHECK(reply.check->findings[0].kind == FindingKind::uninitialized_read);
    CHECK(reply.check->findings[0].variable == "y");
}

TEST_CASE("a checked call reports host code that touches device memory, and a kernel that touches the host's") {
    Bound object;
    const CallResult looped = object.checked("loops_on_the_host");
    CAPTURE(looped.message);
    REQUIRE(looped.outcome == Outcome::returned);
    CHECK(elements(looped.results.at(0)) == twice_six);
    REQUIRE(looped.check);
    REQUIRE(looped.check->findings.size() == 2);
    CHECK(looped.check->findings[0].kind == FindingKind::host_access);
    CHECK(looped.check->findings[0].what.find("host code reads device memory (an array of 6 float32, element 0); bring "
                                              "it over with gpu::to_host") != std::string::npos);
    CHECK(looped.check->findings[1].what.find("host code writes device memory") != std::string::npos);
    const CallResult pointer = object.checked("passes_a_host_pointer");
    REQUIRE(pointer.outcome == Outcome::returned);
    REQUIRE(pointer.check);
    REQUIRE(pointer.check->findings.size() == 1);
    CHECK(pointer.check->findings[0].kind == FindingKind::host_pointer);
    CHECK(pointer.check->findings[0].what.find("kernel unguarded: the argument x points to host memory; bring it over "
                                               "with gpu::to_device") != std::string::npos);
    CHECK(object.checked("on_the_host").check->findings.empty());
}

TEST_CASE("code that checks itself keeps nothing from the grader") {
    const Folder scratch, other;
    SessionPair object(options_for("bound", scratch), options_for("bound", other));
    const Value argument = floats(six);
    const auto call = [&](const char* name) { return object.call(name, {&argument, 1}, {&float_array, 1}); };
    const auto checked = [&](const char* name) {
        return object.check_call(name, {&argument, 1}, {&float_array, 1}, {.seconds_per_block = 5, .seconds = 60});
    };
    const CallResult itself = checked("checks_itself");
    CHECK(itself.outcome == Outcome::exception);
    CHECK(itself.message.find("gpu::check and gpu::trace can't be used here") != std::string::npos);
    CHECK(object.output() == "");   // what is printed in check mode isn't shown
    // In the usual run it says the same: nobody can tell the two apart by it.
    const CallResult usual = call("checks_itself");
    CHECK(usual.outcome == itself.outcome);
    CHECK(usual.message == itself.message);
    CHECK(object.given_call("checks_itself", {&argument, 1}, {&float_array, 1}).outcome == Outcome::returned);
    CHECK(object.output() == "found 1 myself");   // the exercise's own functions may
    CHECK(call("checks_itself").outcome == Outcome::exception);
    CHECK(call("leaves_a_check_open").outcome == Outcome::exception);
    const CallResult after = checked("past_the_end");   // in a process of its own
    REQUIRE(after.check);
    CHECK(after.check->findings.size() == 1);
    CHECK(checked("leaves_a_check_open").outcome == Outcome::exception);
}

TEST_CASE("host vectors may lie in page-locked memory, and what is copied from there is") {
    Bound object;
    const ValueType vector{Place::host_vector, Type::float32}, doubles{Place::host_vector, Type::float64};
    const std::vector<Value> arguments{value_of(six, vector), value_of(std::vector<double>{1, 2}, doubles)};
    for (const CallResult& reply : {object.call("pinned", arguments, {vector, doubles}),
                                   object.checked("pinned", arguments, {vector, doubles})}) {
        CAPTURE(reply.message);
        REQUIRE(reply.outcome == Outcome::returned);
        CHECK(elements(reply.results.at(0)) == twice_six);
        CHECK(elements<double>(reply.results.at(1)) == std::vector<double>{3, 2});
        CHECK(reply.counts.pageable_async_copies == 0);
        CHECK(reply.counts.copies_to_device == 1);
        CHECK(reply.counts.copies_not_awaited == 0);
        CHECK(reply.counts.streams_at_once == (reply.check ? 1 : 0));
    }
    CHECK(object.call("pinned", {value_of(std::vector<float>{}, vector), value_of(std::vector<double>{1}, doubles)},
                      {vector, doubles})
              .outcome == Outcome::returned);
}

TEST_CASE("a session may ask for devices of the host backend; whoever leaves another one current is found out") {
    const Folder scratch;
    SessionOptions options = options_for("bound", scratch);
    options.devices = 3;
    Session session(options);
    const ValueType number{Place::scalar, Type::int32};
    const auto call = [&](const std::string& function) { return session.call(function, {}, {&number, 1}); };
    const CallResult left = call("leaves_device");
    CHECK(left.outcome == Outcome::left_behind);
    CHECK(left.message ==
          "the function leaves host:2 the current device, and found host:0: a gpu::DeviceGuard in a scope of its own "
          "puts it back");
    const CallResult again = call("leaves_device");  // its guard is static: the device stays as it was
    REQUIRE(again.outcome == Outcome::returned);
    CHECK(elements<int>(again.results.at(0)) == std::vector<int>{3});
    CHECK(call("leaves_stream").message.starts_with("the function leaves a stream of its own the current one"));
    CHECK(session.check_call("leaves_stream", {}, {&number, 1}, {.seconds_per_block = 5, .seconds = 60}).outcome ==
          Outcome::left_behind);
    CHECK(call("leaves_device").outcome == Outcome::returned);
}

TEST_CASE("checked calls are on the host's first device, whatever the usual ones are on, and count") {
    ::setenv("LIBGPU_HOST_DEVICES", "2", 1);
    ::setenv("CUDA_VISIBLE_DEVICES", "3", 1);
    const Folder scratch, other;
    SessionOptions usual = options_for("bound", scratch), checked = options_for("bound", other);
    usual.device = checked.device = "host:1";
    SessionPair object(usual, checked);
    const std::vector<ValueType> two_numbers(2, {Place::scalar, Type::int32});
    const auto facts = [](const CallResult& reply) {
        REQUIRE(reply.outcome == Outcome::returned);
        return std::pair(elements<int>(reply.results.at(0))[0], elements<int>(reply.results.at(1))[0]);
    };
    CHECK(facts(object.call("device", {}, two_numbers)) == std::pair(1, 0));
    CHECK(facts(object.check_call("device", {}, two_numbers, {})) == std::pair(0, 0));
    const std::vector<Value> arguments{floats(six), floats(six)};
    const CallResult usual_add = object.call("add", arguments, {&float_array, 1});
    const CallResult checked_add = object.check_call("add", arguments, {&float_array, 1}, {});
    CHECK(elements(checked_add.results.at(0)) == elements(usual_add.results.at(0)));
    CHECK(checked_add.counts.launches == 1);
    CHECK(checked_add.counts.launches == usual_add.counts.launches);
    CHECK(checked_add.counts.allocations == usual_add.counts.allocations);
    CHECK(checked_add.counts.bytes_allocated == usual_add.counts.bytes_allocated);
    CHECK(checked_add.counts.copies_to_host == 0);
    CHECK(checked_add.counts.synchronizations == usual_add.counts.synchronizations);
    ::unsetenv("LIBGPU_HOST_DEVICES");
    ::unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_CASE("work of more kernels than a record has room for is counted all the same") {
    Bound object;
    const CallResult reply = object.checked("twenty_kernels");
    CAPTURE(reply.message);
    REQUIRE(reply.check);
    CHECK(reply.check->cut);
    REQUIRE(reply.check->kernels.size() == protocol::max_kernels);
    CHECK(reply.check->kernels.back().name == "all other kernels");
    CHECK(reply.check->kernels.back().launches == 5);
    WorkCounts work{};
    for (const KernelCounts& one : reply.check->kernels) work += one.work;
    CHECK(work.global_writes == 20 * 6);
}

TEST_CASE("a flood of mistakes is cut, and their texts are fit to print") {
    Bound object;
    const CallResult reply = object.checked("full_of_mistakes");
    CAPTURE(reply.message);
    REQUIRE(reply.check);
    CHECK(reply.check->findings.size() <= protocol::max_findings);
    CHECK(reply.check->findings.size() > 1);
    for (const Finding& finding : reply.check->findings)
        for (const std::string& text : {finding.what, finding.who, finding.advice, finding.file})
            CHECK(text.find_first_of("\x1b\n\t") == std::string::npos);
}
