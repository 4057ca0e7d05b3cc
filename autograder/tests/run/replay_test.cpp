// SPDX-License-Identifier: MIT
// A checked call's work is done again by a runner without an object, whatever the recording says.
#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "protocol/protocol.hpp"
#include "run/file_use.hpp"
#include "run/session_pair.hpp"
#include "session_fixture.hpp"

using namespace course;
using namespace course::test;

namespace {

const CheckLimits limits{.seconds_per_block = 5, .seconds = 60, .replays = true};
const std::vector<float> three{1, 2, 3}, others{5, -7, 0.5f};

/// The object "bound" in a pair whose checked calls are replayed; and the replaying runner by itself.
class Replayed {
public:
    Replayed() : pair_(recording(scratch_), recording(other_), {}, {}, replayer(third_)), alone_(replayer(fourth_)) {}

    static SessionOptions recording(const Folder& scratch) {
        SessionOptions options = with_own_cache("bound", scratch);
        options.records = true;
        return options;
    }

    CallResult add() {
        const std::vector<Value> arguments{floats(three), floats(three)};
        return pair_.check_call("add", arguments, {&float_array, 1}, limits);
    }
    CallResult replay(const Bytes& recording, const std::vector<float>& left = three) {
        const std::vector<Value> arguments{floats(left), floats(three)};
        return alone_.replay(recording, arguments, {&float_array, 1}, limits);
    }
    SessionPair& pair() { return pair_; }
    Session& alone() { return alone_; }
    SessionOptions checked() const { return recording(other_); }

    std::filesystem::path cache_of_replayer() const { return replayer(third_).kernel_cache; }
    std::filesystem::path cache_of_alone() const { return replayer(fourth_).kernel_cache; }

private:
    static SessionOptions replayer(const Folder& folder) {
        SessionOptions options = with_own_cache("", folder);
        options.object.clear();
        return options;
    }
    static SessionOptions with_own_cache(const std::string& name, const Folder& folder) {
        SessionOptions options = options_for(name, folder);
        options.scratch = folder / "run";
        options.kernel_cache = folder / "kernels";
        std::filesystem::create_directories(options.kernel_cache);
        return options;
    }

    Folder scratch_, other_, third_, fourth_;
    SessionPair pair_;
    Session alone_;
};

std::set<std::string> names_of_kernels(const std::filesystem::path& cache) {
    std::set<std::string> names;
    for_each_kernel(cache, cache, [&](const auto& here, const auto&) { names.insert(here.filename()); });
    return names;
}

const std::vector<Value> two_arrays{floats(three), floats(three)};

}  // namespace

TEST_CASE("a runner that isn't told to records nothing") {
    const Folder scratch;
    Session session(options_for("bound", scratch));
    const CallResult usual = session.call("add", two_arrays, {&float_array, 1});
    const CallResult checked = session.check_call("add", two_arrays, {&float_array, 1}, limits);
    REQUIRE(usual.outcome == Outcome::returned);
    REQUIRE(checked.outcome == Outcome::returned);
    CHECK(usual.kernels.empty());
    CHECK(checked.recording.empty());
    CHECK(checked.not_recorded == "");
}

TEST_CASE("kernels of a usual call are compiled for check mode elsewhere, and no checked call compiles them again") {
    const Folder usual, other;
    Session session(Replayed::recording(usual));
    const CallResult reply = session.call("add", two_arrays, {&float_array, 1});
    REQUIRE(reply.outcome == Outcome::returned);
    REQUIRE(!reply.kernels.empty());
    CHECK(session.call("add", two_arrays, {&float_array, 1}).kernels.empty());

    Replayed object;
    object.alone().compile(reply.kernels, 60);
    const std::set<std::string> made = names_of_kernels(object.cache_of_alone());
    CHECK(made.size() == 1);
    const SessionOptions options = Replayed::recording(other);
    copy_kernels(object.cache_of_alone(), options.kernel_cache);
    Session checked(options);
    CHECK(checked.check_call("add", two_arrays, {&float_array, 1}, limits).outcome == Outcome::returned);
    CHECK(names_of_kernels(options.kernel_cache) == made);
}

TEST_CASE("the second runner of a pair gets the kernels that the replaying one has compiled") {
    Replayed object;
    REQUIRE(object.pair().call("add", two_arrays, {&float_array, 1}).outcome == Outcome::returned);
    object.pair().expect_check("add", two_arrays, {&float_array, 1});   // its kernels have come with the call
    const std::filesystem::path compiled = object.cache_of_replayer(), handed = object.checked().kernel_cache;
    const auto start = std::chrono::steady_clock::now();
    while (names_of_kernels(compiled).empty() && std::chrono::steady_clock::now() - start < std::chrono::seconds(60))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE(names_of_kernels(compiled).size() == 1);
    CHECK(names_of_kernels(handed).empty());
    std::filesystem::create_directories(compiled / "ff");
    std::ofstream(compiled / "ff/another.kernel") << "another";
    const CallResult reply = object.add();
    REQUIRE(reply.replay);
    CHECK(reply.replay->counts.launches == 1);
    CHECK(names_of_kernels(handed) == names_of_kernels(compiled));
    CHECK(names_of_kernels(handed).contains("another.kernel"));
    CHECK(names_of_kernels(handed).size() == 2);
}

TEST_CASE("a runner with an object compiles for nobody, and a list that no runner makes harms nobody") {
    const Folder scratch;
    const SessionOptions options = Replayed::recording(scratch);
    Session student(options);
    Bytes kernels = student.call("add", two_arrays, {&float_array, 1}).kernels;
    REQUIRE(!kernels.empty());
    const std::set<std::string> before = names_of_kernels(options.kernel_cache);
    student.compile(kernels, 60);
    CHECK(names_of_kernels(options.kernel_cache) == before);

    Replayed object;
    kernels.resize(kernels.size() - 1);
    object.alone().compile(kernels, 60);
    object.alone().compile(Bytes(100), 60);
    CHECK(names_of_kernels(object.cache_of_alone()).empty());
    CHECK(elements(object.replay(object.add().recording).results.at(0)) == std::vector<float>{2, 4, 6});
}

TEST_CASE("a checked call's work is done again in a process without its code, and counted there") {
    Replayed object;
    const CallResult reply = object.add();
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.not_recorded == "");
    REQUIRE(reply.replay);
    REQUIRE(reply.replay->outcome == Outcome::returned);
    CHECK(elements(reply.replay->results.at(0)) == std::vector<float>{2, 4, 6});
    CHECK(reply.replay->counts.launches == 1);
    CHECK(reply.replay->counts.allocations == reply.counts.allocations);
    CHECK(reply.replay->counts.bytes_allocated == reply.counts.bytes_allocated);
    REQUIRE(reply.replay->check);
    CHECK(reply.replay->check->findings.empty());
    REQUIRE(reply.replay->check->kernels.size() == 1);
    CHECK(reply.replay->check->kernels[0].work == reply.check->kernels.at(0).work);
    // The same work, of other values.
    CHECK(elements(object.replay(reply.recording, others).results.at(0)) == std::vector<float>{6, -5, 3.5f});
}

TEST_CASE("what can't be recorded isn't replayed, and the reply says why") {
    Replayed object;
    const ValueType vector{protocol::Place::host_vector, protocol::Type::float32};
    const ValueType doubles{protocol::Place::host_vector, protocol::Type::float64};
    const std::vector<Value> arguments{value_of(three, vector), value_of(std::vector<double>{1, 2}, doubles)};
    const std::vector<ValueType> results{vector, doubles};
    const CallResult reply = object.pair().check_call("pinned", arguments, results, limits);
    REQUIRE(reply.outcome == Outcome::returned);
    CHECK(reply.recording.empty());
    CHECK_FALSE(reply.replay);
    CHECK(reply.not_recorded == "page-locked memory");
}

TEST_CASE("only a runner without an object replays, and it makes no calls") {
    const Folder scratch;
    Session student(options_for("bound", scratch));
    const CallResult refused = student.replay(Bytes(100), {}, {&float_array, 1}, limits);
    CHECK(refused.outcome == Outcome::missing_function);
    CHECK(refused.message == "only a runner without an object replays");
}

TEST_CASE("a recording that no runner makes is refused, and the process that looked at it goes on") {
    Replayed object;
    const CallResult reply = object.add();
    REQUIRE(reply.replay);
    const auto refused = [&](const Bytes& recording) {
        const CallResult answer = object.replay(recording);
        CHECK(answer.outcome == Outcome::exception);
        return answer.message;
    };
    CHECK(refused(Bytes()).find("the recording is too short") != std::string::npos);
    Bytes cut = reply.recording;
    cut.resize(cut.size() - 1);
    CHECK(refused(cut).find("the recording has") != std::string::npos);
    const auto with_header = [&](const auto& change) {
        Bytes changed = reply.recording;
        protocol::RecordingHeader header{};
        std::memcpy(&header, changed.data(), sizeof header);
        change(header);
        std::memcpy(changed.data(), &header, sizeof header);
        return changed;
    };
    CHECK(refused(with_header([](auto& header) { header.value_count = 17; })).find("more values than a call gives") !=
          std::string::npos);
    CHECK(refused(with_header([](auto& header) { header.copies[0] = 9; })).find("a copy that isn't there") !=
          std::string::npos);
    CHECK(refused(with_header([](auto& header) { header.values[0].bytes = 8; })).find("another size than its copy") !=
          std::string::npos);
    // Not the recording's fault, but no reply that fits what is asked for.
    CHECK(object.replay(with_header([](auto& header) { header.value_count = header.result_count = 0; })).outcome ==
          Outcome::bad_reply);

    const std::size_t begin = sizeof(protocol::RecordingHeader);
    std::mt19937 random(5);
    for (int round = 0; round < 60; ++round) {
        Bytes changed = reply.recording;
        changed[begin + random() % (changed.size() - begin)] = static_cast<std::byte>(random());
        const Outcome outcome = object.replay(changed).outcome;
        CHECK(outcome != Outcome::crashed);
        CHECK(outcome != Outcome::timed_out);
    }
    CHECK(elements(object.replay(reply.recording).results.at(0)) == std::vector<float>{2, 4, 6});
}
