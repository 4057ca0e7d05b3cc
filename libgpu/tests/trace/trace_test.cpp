// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

#include <nlohmann/json.hpp>

#include "support/golden.hpp"
#include "support/messages.hpp"
#include "support/temporary_folder.hpp"
#include "trace/kernels.hpp"
#include "trace/pictures.hpp"

namespace fs = std::filesystem;

namespace {

std::string file_text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

const pictures::Program& program(const std::string& name) {
    const auto& all = pictures::programs();
    return *std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
}

// Every element that is opened is closed, in order; text has no bare < or &.
bool is_well_formed(const std::string& text) {
    static const std::set<std::string> empty{"meta", "input", "!doctype"};
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) {
        const std::size_t end = text.find('>', at);
        if (end == std::string::npos) return false;
        const std::string tag = text.substr(at + 1, end - at - 1);
        if (tag.find('<') != std::string::npos) return false;
        const std::string name =
            tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" />", 1) - (tag[0] == '/' ? 1 : 0));
        at = end + 1;
        if (tag[0] == '/') {
            if (open.empty() || open.back() != name) return false;
            open.pop_back();
        } else if (tag.back() != '/' && empty.count(name) == 0) {
            open.push_back(name);
            if (name == "script" || name == "style") at = text.find("</" + name, at);
            if (at == std::string::npos) return false;
        }
    }
    return open.empty();
}

}  // namespace

TEST_CASE("a trace has each thread's accesses, with their lines and values") {
    const support::TemporaryFolder scratch;
    const std::string folder = scratch.path().string();
    //! [trace]
    gpu::RawKernel<void(const float*, float*)> twice(R"(
__global__ void twice(const float* x, float* y) {
    int i = threadIdx.x;
    y[i] = 2 * x[i];
}
)",
                                                     "twice");
    const auto x = gpu::arange<float>(4);
    auto y = gpu::zeros<float>({4});
    const gpu::Trace trace = gpu::trace([&] { twice({.grid = 1, .block = 4}, x, y); });
    trace.write_html(folder + "/twice.html");
    trace.write_svg(folder + "/map.svg", gpu::Picture::map);
    std::string page = trace.html(), map = trace.svg(gpu::Picture::map);  // the same as text
    const gpu::TracedAccess& last = trace.launches.at(0).accesses.back();  // thread 3 writes y[3] = 6
    const int threads = trace.launches.at(0).threads();                    // of each block: 4
    //! [trace]
    CHECK(trace.report.clean());
    CHECK(is_well_formed(page));
    CHECK(file_text(folder + "/twice.html") == page);
    CHECK(file_text(folder + "/map.svg") == map);
    CHECK(threads == 4);
    REQUIRE(trace.launches.size() == 1);
    const gpu::TracedLaunch& launch = trace.launches[0];
    CHECK(launch.kernel == "twice");
    REQUIRE(launch.arrays.size() == 2);
    CHECK(launch.arrays[0].name == "x");
    CHECK(launch.arrays[1].type == "float");
    CHECK(launch.arrays[1].lengths == std::vector<std::int64_t>{4});
    REQUIRE(launch.accesses.size() == 8);
    CHECK(last.thread == 3);
    CHECK(last.operation == gpu::MemoryOperation::write);
    CHECK(last.array == 1);
    CHECK(last.byte == 12);
    CHECK(last.bytes == 4);
    CHECK(gpu::detail::trace::line_text(launch, last.line) == "y[i] = 2 * x[i];");
    for (const gpu::TracedAccess& access : launch.accesses) {
        const bool reads = access.operation == gpu::MemoryOperation::read;
        CHECK(gpu::detail::trace::value_text(launch.arrays[static_cast<std::size_t>(access.array)], access) ==
              std::to_string(access.thread * (reads ? 1 : 2)));
    }
    CHECK(gpu::to_host(y) == std::vector<float>{0, 2, 4, 6});
}

TEST_CASE("the pictures' requests, sectors and turns are those that check mode counts") {
    for (const pictures::Program& each : pictures::programs()) {
        CAPTURE(each.name);
        if (each.picture == gpu::Picture::schedule) continue;  // of these not every access is recorded
        const gpu::Trace trace = each.trace();
        REQUIRE(trace.launches.size() == 1);
        const gpu::TracedLaunch& launch = trace.launches[0];
        CHECK(launch.left_out == 0);
        const auto counted =
            std::find_if(trace.report.kernels.begin(), trace.report.kernels.end(),
                         [&](const gpu::KernelCounts& kernel) { return kernel.name == launch.kernel; });
        REQUIRE(counted != trace.report.kernels.end());
        // A kernel that was left by force has counts up to its last synchronisation alone.
        if (!trace.report.clean() && each.name != "tree_without_barrier") continue;
        std::uint64_t requests = 0, sectors = 0, ways = 0, accesses = 0;
        for (const auto& request : gpu::detail::trace::requests_of(launch)) {
            const bool shared = launch.arrays[static_cast<std::size_t>(request.array)].shared;
            requests += shared ? 0 : 1;
            sectors += static_cast<std::uint64_t>(request.sectors);
            ways += static_cast<std::uint64_t>(request.ways);
        }
        const gpu::WorkCounts& work = counted->work;
        for (const gpu::TracedAccess& access : launch.accesses)
            accesses += launch.arrays[static_cast<std::size_t>(access.array)].shared ? 0 : 1;
        CHECK(accesses == work.global_reads + work.global_writes);
        CHECK(requests == work.global_requests);
        CHECK(sectors == work.global_sectors);
        CHECK(ways == work.shared_wavefronts);
    }
}

TEST_CASE("pictures are as they were, as SVG and as text") {
    // As SVG one or two of each kind: with and without findings, lanes with and without a barrier.
    const std::set<std::string> drawn{"strided_copy", "bank_conflict",    "divergent_branch",    "deadlock",
                                      "out_of_bounds", "overlapped_chunks", "tree_without_barrier"};
    for (const pictures::Program& each : pictures::programs()) {
        CAPTURE(each.name);
        const gpu::Trace trace = each.trace();
        const std::string svg = trace.svg(each.picture), text = trace.to_text();
        CHECK(is_well_formed(svg));
        if (drawn.contains(each.name)) support::check_golden(each.name + ".svg", svg);
        support::check_golden(each.name + ".txt", text);
        std::string one_by_one;
        for (const gpu::Picture picture : {gpu::Picture::map, gpu::Picture::requests, gpu::Picture::banks,
                                           gpu::Picture::lanes, gpu::Picture::races, gpu::Picture::schedule,
                                           gpu::Picture::source})
            one_by_one += trace.to_text(picture);
        CHECK(one_by_one == text);
    }
}

TEST_CASE("a schedule has what waits for what, on a modelled GPU") {
    using Kind = gpu::TracedOperation::Kind;
    const auto& chunks = program("overlapped_chunks").trace().operations;
    REQUIRE(chunks.size() == 10);
    for (std::size_t k = 0; k < 9; k += 3) {
        CAPTURE(k);
        const int stream = static_cast<int>(k / 3) + 1;
        CHECK(chunks[k].kind == Kind::copy_to_device);
        CHECK(chunks[k + 1].kind == Kind::kernel);
        CHECK(chunks[k + 2].kind == Kind::copy_to_host);
        for (std::size_t at = k; at < k + 3; ++at) {
            CHECK(chunks[at].stream == stream);
            CHECK(!chunks[at].host_waits);
            CHECK(!chunks[at].pageable);
            CHECK(chunks[at].end_us > chunks[at].start_us);
            if (at > k) CHECK(chunks[at].start_us >= chunks[at - 1].end_us);
        }
        // One engine copies one way at a time; the next chunk goes up while this one is worked on.
        if (k > 0) CHECK(chunks[k].start_us >= chunks[k - 3].end_us);
        if (k > 0) CHECK(chunks[k].start_us < chunks[k - 1].end_us);
    }
    CHECK(chunks[9].kind == Kind::wait);
    CHECK(chunks[9].end_us == chunks[8].end_us);

    const auto& steps = program("staircase").trace().operations;
    REQUIRE(steps.size() == 12);
    for (std::size_t k = 1; k < steps.size(); ++k) {
        CAPTURE(k);
        CHECK((steps[k].kind == Kind::kernel || steps[k].host_waits));
        CHECK(steps[k].pageable == (k % 4 == 0 || k % 4 == 3));
        if (steps[k].kind != Kind::wait) CHECK(steps[k].start_us >= steps[k - 1].end_us);
    }
    CHECK(steps.back().end_us > chunks.back().end_us);

    // An event carries the order from stream to stream, and kernels that fill the device wait for each other.
    gpu::RawKernel<void(float*)> fill("__global__ void fill(float* x) { x[blockIdx.x] = 1; }", "fill");
    gpu::Stream first, second;
    auto x = gpu::zeros<float>({200}), y = gpu::zeros<float>({200});
    const auto both = [&](int blocks, bool ordered) {
        return gpu::trace([&] {
                   fill({.grid = blocks, .block = 1, .stream = first}, x);
                   gpu::Event event;
                   event.record(first);
                   if (ordered) gpu::StreamRef(second).wait(event);
                   fill({.grid = blocks, .block = 1, .stream = second}, y);
               })
            .operations;
    };
    const auto at_once = both(1, false), in_order = both(1, true), full = both(132, false);
    REQUIRE(at_once.size() == 2);
    CHECK(at_once[1].start_us < at_once[0].end_us);
    CHECK(in_order[1].start_us >= in_order[0].end_us);
    CHECK(full[1].start_us >= full[0].end_us);

    // Pageable memory makes an asynchronous copy wait; what is printed is free.
    std::vector<float> host(200);
    const gpu::Trace pageable = gpu::trace([&] {
        (void)x.copy_from_async(host);
        (void)gpu::to_string(x);
    });
    REQUIRE(pageable.operations.size() == 1);
    CHECK(pageable.operations[0].pageable);
    CHECK(pageable.operations[0].host_waits);

    const gpu::Trace product = gpu::trace([] {
        (void)gpu::matmul(gpu::ones<float>({2, 3}), gpu::ones<float>({3, 2}));
    });
    CHECK(std::any_of(product.operations.begin(), product.operations.end(), [](const gpu::TracedOperation& one) {
        return one.kind == Kind::linear_algebra && one.name == "matmul (float32, 2 x 3 times 3 x 2)";
    }));
}

TEST_CASE("pages: one file, well formed, nothing from elsewhere") {
    const char* const kept = std::getenv("TRACE_PAGES");
    const support::TemporaryFolder own;
    const fs::path folder = kept != nullptr ? fs::path(kept) : own.path();
    for (const pictures::Program& each : pictures::programs()) {
        CAPTURE(each.name);
        const fs::path path = folder / (each.name + ".html");
        each.trace().write_html(path.string(), {.title = each.name});
        const std::string page = file_text(path);
        CHECK(is_well_formed(page));
        CHECK(page.size() < 1'000'000);
        CHECK(page.find("http") == std::string::npos);
        CHECK(page.find("<link") == std::string::npos);
        CHECK(page.find("src=") == std::string::npos);
    }
    const gpu::Trace wrong = program("tree_without_barrier").trace(), right = program("tree").trace();
    const std::string both =
        right.html({.title = "both", .subtitle = {}, .beside = &wrong, .name = "with", .beside_name = "without"});
    CHECK(is_well_formed(both));
    CHECK(both.find("<main class=\"two\">") != std::string::npos);
    if (kept != nullptr) std::ofstream(folder / "side_by_side.html") << both;
}

TEST_CASE("an element that two threads write is said to be written twice: a barrier wouldn't help") {
    gpu::RawKernel<void(float*)> halved(R"(
__global__ void halved(float* y) {
    y[threadIdx.x / 2] = threadIdx.x;
}
)",
                                        "halved");
    auto y = gpu::zeros<float>({64});
    const gpu::Trace trace = gpu::trace([&] { halved({.grid = 1, .block = 64}, y); });
    REQUIRE(trace.launches.at(0).findings.size() == 1);
    const std::string text = trace.to_text(gpu::Picture::races);
    CHECK(text.find("written twice: y[0]") != std::string::npos);
    CHECK(text.find("two threads have this element") != std::string::npos);
    CHECK(text.find("no __syncthreads()") == std::string::npos);
}

TEST_CASE("races have both sides, and stops say who waits") {
    const gpu::Trace race = program("tree_without_barrier").trace();
    const gpu::TracedLaunch& launch = race.launches.at(0);
    REQUIRE(launch.findings.size() == 1);
    CHECK(launch.findings[0].variable == "part");
    CHECK(launch.findings[0].first.line == 8);
    CHECK(launch.findings[0].second.line == 8);
    CHECK(launch.findings[0].first.thread != launch.findings[0].second.thread);

    // The values are those of the moment, not of the first access there: thread 1 wrote 3 when thread 0 had read it.
    gpu::RawKernel<void(float*)> late(R"(
__global__ void late(float* y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int round = 0; round < 3; ++round) {
        s[t] = 10 * round + t;
        if (round < 2) __syncthreads();
        y[t] = s[(t + 32) % 64];
        __syncthreads();
    }
}
)",
                                      "late");
    auto y = gpu::zeros<float>({64});
    const gpu::Trace in_round_2 = gpu::trace([&] { late({.grid = 1, .block = 64}, y); });
    REQUIRE(in_round_2.launches.at(0).findings.size() == 1);
    const gpu::TracedFinding& found = in_round_2.launches[0].findings[0];
    const auto value = [&](const gpu::TracedFinding::Side& side) {
        REQUIRE(side.access >= 0);
        const gpu::TracedAccess& access = in_round_2.launches[0].accesses[static_cast<std::size_t>(side.access)];
        CHECK(access.thread == side.thread);
        CHECK(access.line == side.line);
        CHECK(gpu::detail::trace::verb_of(access.operation) == side.verb);
        return gpu::detail::trace::value_text(in_round_2.launches[0].arrays.back(), access);
    };
    CHECK(found.element == "s[32]");
    CHECK(value(found.first) == "42");   // thread 0 read what thread 32 had left in round 1
    CHECK(value(found.second) == "52");  // thread 32 writes round 2's
    const std::string text = in_round_2.to_text();
    CHECK(text.find("In this order the read gets 42; in the other one it would be 52.") != std::string::npos);

    const gpu::Trace stuck = program("deadlock").trace();
    int waiting[2] = {};
    for (const gpu::TracedStop& stop : stuck.launches.at(0).stops) {
        REQUIRE(stop.kind == gpu::StopKind::waits);
        CHECK((stop.line == 7 || stop.line == 10));
        CHECK((stop.thread < 20) == (stop.line == 7));
        ++waiting[stop.line == 7 ? 0 : 1];
    }
    CHECK(waiting[0] == 20);
    CHECK(waiting[1] == 12);

    const gpu::Trace outside = program("out_of_bounds").trace();
    const gpu::TracedAccess& last = outside.launches.at(0).accesses.back();
    CHECK(last.out_of_bounds);
    CHECK(last.thread == 32);
    CHECK(last.byte == 33 * 4);
    CHECK(outside.launches[0].arrays[static_cast<std::size_t>(last.array)].name == "x");
}

TEST_CASE("names with <, quotes and non-ASCII characters; values of all types; a grid and a block of three axes") {
    gpu::RawKernel<void(double*, const std::uint8_t*)> odd(R"(
// "é" & <b>
template <class T> __global__ void odd(T* größe, const unsigned char* b) {
    __shared__ int cube[2][2][2];
    cube[threadIdx.z][threadIdx.y][threadIdx.x] = -7;
    __syncthreads();
    int k = (blockIdx.y * 2 + blockIdx.x) * 8 + threadIdx.z * 4 + threadIdx.y * 2 + threadIdx.x;
    größe[k] = b[k] + 0.5 + 0 * cube[threadIdx.x][threadIdx.y][threadIdx.z];
}
)",
                                                           "odd<double>");
    auto x = gpu::zeros<double>({32});
    const auto b = gpu::to_device(std::vector<std::uint8_t>(32, 200));
    const gpu::Trace trace = gpu::trace([&] { odd({.grid = {2, 2}, .block = {2, 2, 2}}, x, b); });
    CHECK(trace.report.clean());
    const std::string text = trace.to_text(), page = trace.html({.title = "<\"é\"> \xff"});
    CHECK(is_well_formed(page));
    CHECK(page.find("<b>\n") == std::string::npos);
    CHECK(page.find("&lt;&quot;é&quot;&gt; ?") != std::string::npos);
    CHECK(page.find("größe") != std::string::npos);
    CHECK(trace.to_json().find("\"200.5\"") != std::string::npos);
    CHECK(trace.to_json().find("\"-7\"") != std::string::npos);
    CHECK(trace.launches.at(0).arrays.back().lengths == std::vector<std::int64_t>{2, 2, 2});
    CHECK(text.find("cube[0][0][1]") == std::string::npos);  // rows are named by their last element
    CHECK(page.find("cube[0][0][1]") != std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(trace.to_json());
    CHECK(json.at("version") == 2);
    CHECK(json.at("operations").at(0).at("kind") == "kernel");
    CHECK(json.at("operations").at(0).at("modelled_end_ns") > json.at("operations").at(0).at("modelled_start_ns"));
    CHECK(json.at("launches").at(0).at("grid") == nlohmann::json({2, 2, 1}));
    CHECK(json.at("launches").at(0).at("accesses").size() == trace.launches[0].accesses.size());
}

TEST_CASE("what isn't recorded is said; a block that fails is recorded wherever it is") {
    gpu::RawKernel<void(float*, int)> last_fails(R"(
__global__ void last_fails(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = i;
}
)",
                                                 "last_fails");
    auto x = gpu::zeros<float>({630});
    const gpu::Trace trace = gpu::trace([&] { last_fails({.grid = 10, .block = 64}, x, 640); });
    const gpu::TracedLaunch& launch = trace.launches.at(0);
    std::set<int> blocks;
    for (const gpu::TracedAccess& access : launch.accesses) blocks.insert(access.block);
    CHECK(blocks == std::set<int>{0, 1, 2, 3, 9});
    CHECK(launch.left_out == 5 * 64);
    CHECK(launch.accesses.back().out_of_bounds);
    CHECK(launch.accesses.back().byte == 630 * 4);
    CHECK(trace.html().find("320 accesses more happened") != std::string::npos);

    // As one with a race is, of which the launch doesn't end.
    gpu::RawKernel<void(float*)> races_late(R"(
__global__ void races_late(float* y) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (blockIdx.x != 7) __syncthreads();
    y[blockIdx.x * 64 + t] = s[63 - t];
}
)",
                                            "races_late");
    auto y = gpu::zeros<float>({640});
    const gpu::Trace racing = gpu::trace([&] { races_late({.grid = 10, .block = 64}, y); });
    REQUIRE(racing.launches.at(0).findings.size() == 1);
    CHECK(racing.launches[0].findings[0].first.block == 7);
    CHECK(racing.launches[0].findings[0].first.access >= 0);
    CHECK(racing.launches[0].findings[0].second.access >= 0);
    blocks.clear();
    for (const gpu::TracedAccess& access : racing.launches[0].accesses) blocks.insert(access.block);
    CHECK(blocks == std::set<int>{0, 1, 2, 3, 7});

    const gpu::Trace little = gpu::trace([&] { last_fails({.grid = 9, .block = 64}, x, 640); },
                                         {.check = {}, .launches = 1, .blocks = 2, .threads = 40, .accesses = 50});
    CHECK(little.launches.at(0).accesses.size() == 50);
    const gpu::Trace none = gpu::trace(
        [&] {
            for (int k = 0; k < 3; ++k) last_fails({.grid = 1, .block = 64}, x, 640);
        },
        {.check = {}, .launches = 1});
    CHECK(none.launches.size() == 1);
    CHECK(none.launches_left_out == 2);
}

TEST_CASE("a trace of one kernel, and of its launches from one on") {
    const char* const text = R"(
template <class T>
__global__ void scale(T* x, T factor) { x[threadIdx.x] *= factor; }
__global__ void clear(float* x) { x[threadIdx.x] = 0; }
)";
    const gpu::RawModule module(text, {.names = {"scale<float>"}});
    auto scale = module.kernel<void(float*, float)>("scale<float>");
    auto clear = module.kernel<void(float*)>("clear");
    auto x = gpu::zeros<float>({8});
    const auto program = [&] {
        for (int k = 1; k <= 3; ++k) {
            clear({.grid = 1, .block = 8}, x);
            scale({.grid = 1, .block = static_cast<unsigned>(k)}, x, 2.0F);
        }
    };
    const auto traced = [&](const std::string& kernel, int first) {
        std::string blocks;
        for (const gpu::TracedLaunch& one : gpu::trace(program, {.kernel = kernel, .first_launch = first}).launches)
            blocks += one.kernel + ' ' + std::to_string(one.block.x) + ", ";
        return blocks;
    };
    CHECK(traced("scale", 2) == "scale<float> 2, scale<float> 3, ");
    CHECK(traced("scale<float>", 3) == "scale<float> 3, ");
    CHECK(traced("", 6) == "scale<float> 3, ");
    CHECK(traced("clear", 4) == "");
    CHECK(traced("cale", 1) == "");
    const gpu::Trace one = gpu::trace(program, {.kernel = "clear", .first_launch = 2, .launches = 1});
    CHECK(one.launches.size() == 1);
    CHECK(one.launches_left_out == 1);
    CHECK(one.report.kernels.size() == 2);
    CHECK_THROWS_WITH_AS((void)gpu::trace(program, {.first_launch = 0}), "a trace from launch 0 on: the first one is 1",
                         gpu::Error);
}

TEST_CASE("kernels without accesses, programs without kernels, elements beyond 2^31") {
    gpu::RawKernel<void()> nothing("__global__ void nothing() {}", "nothing");
    const gpu::Trace idle = gpu::trace([&] { nothing({.grid = 1, .block = 32}); });
    CHECK(idle.to_text().find("nothing written to global memory") != std::string::npos);
    CHECK(is_well_formed(idle.html()));
    const gpu::Trace empty = gpu::trace([] {});
    CHECK(empty.to_text().find("No kernel was launched.\n\nnothing was asked of the device\n") == 0);
    CHECK(empty.to_text(gpu::Picture::map).empty());
    CHECK(empty.to_text(gpu::Picture::schedule).find("nothing was asked of the device\n") == 0);
    CHECK(is_well_formed(empty.html()));

    const std::int64_t n = (std::int64_t{1} << 31) + 10;
    auto bytes = gpu::empty<std::uint8_t>({n});
    gpu::RawKernel<void(unsigned char*, long long)> far(R"(
__global__ void far(unsigned char* x, long long n) { x[n - 1 - threadIdx.x] = threadIdx.x; }
)",
                                                        "far");
    const gpu::Trace trace = gpu::trace([&] { far({.grid = 1, .block = 4}, bytes, n); });
    REQUIRE(trace.launches.at(0).accesses.size() == 4);
    CHECK(trace.launches[0].accesses[0].byte == n - 1);
    CHECK(trace.to_text().find("[2147483657]") == std::string::npos);
    CHECK(trace.html().find("[2147483657]") != std::string::npos);
    CHECK(trace.to_json().find("2147483657") != std::string::npos);
}

TEST_CASE("pictures that can't be drawn or written say why") {
    const gpu::Trace trace = program("coalesced_copy").trace();
    using support::error_of;
    CHECK(error_of([&] { (void)trace.svg(gpu::Picture::map, {.launch = 3}); }) ==
          "a picture of launch 3: the trace has 1 launch");
    CHECK(error_of([&] { (void)trace.svg(gpu::Picture::lanes, {.block = 7}); }) ==
          "a picture of block 7: nothing was recorded of it");
    CHECK(error_of([&] { (void)trace.svg(gpu::Picture::map, {.first_thread = 40}); }) ==
          "a picture from thread 40 on: the block has 40 threads");
    CHECK(error_of([&] { trace.write_html("/nowhere/page.html"); }) ==
          "can't write /nowhere/page.html: No such file or directory");
    CHECK(error_of([&] { trace.write_html("/dev/full"); }) == "can't write /dev/full: No space left on device");
    CHECK(fs::is_character_file("/dev/full"));
    CHECK(error_of([&] { trace.write_svg("/dev/full", gpu::Picture::map); }) ==
          "can't write /dev/full: No space left on device");

    // A file may not become longer than 4 KiB: the page that was there stays, and no piece of the new one does.
    const support::TemporaryFolder folder;
    const fs::path page = folder.path() / "page.html";
    trace.write_svg(page.string(), gpu::Picture::banks);
    const std::string before = file_text(page);
    rlimit usual{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &usual) == 0);
    const rlimit small{4096, usual.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const std::string said = error_of([&] { trace.write_html(page.string()); });
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &usual) == 0);
    std::signal(SIGXFSZ, handler);
    CHECK(said == "can't write " + page.string() + ": File too large");
    CHECK(file_text(page) == before);
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
    CHECK(trace.svg(gpu::Picture::banks).find("no access to shared memory") != std::string::npos);
}

TEST_CASE("a check beside a trace is an error, and a trace that throws leaves no trace") {
    using support::error_of;
    CHECK(error_of([] { (void)gpu::trace([] { (void)gpu::check([] {}); }); }) ==
          "gpu::check inside of another: one check at a time in a process");
    CHECK(error_of([] { (void)gpu::trace([] { throw gpu::Error("mine"); }); }) == "mine");
    CHECK(program("coalesced_copy").trace().launches.size() == 1);
    const gpu::CheckReport report = gpu::check([] { (void)gpu::to_host(gpu::arange<float>(3)); });
    CHECK(report.clean());
}
