// SPDX-License-Identifier: MIT
// usage: gpu_bench [--elements=28] [--growth=coarse|all|none] [--most=31] [--about] [--plant] [--benchmark_...]
//
// The rows of docs/benchmarks/beside-cupy.md on the current device: each call's time, what share of this device's limit
// that is, and whether the result is right. `make bench-gpu` runs it beside CuPy. --elements and --most are logarithms:
// 2^28 elements in the table's arrays, up to 2^31 where rows grow. --about prints the device and ends; --plant adds
// rows with wrong results. Exit code 1 if a result was wrong. Some rows alone:
//     gpu_bench --growth=none --benchmark_filter='shapes/|limit/(stream|gaps)'
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <optional>
#include <string>

#include "bench.hpp"

namespace {

struct Options {
    int elements = 28, most = 31;
    std::string growth = "coarse";
};

/// The value of "--name=value", or "" of "--name", which is taken out of the list.
std::optional<std::string> taken(int& argc, char** argv, const std::string& name) {
    for (int k = 1; k < argc; ++k) {
        const std::string argument = argv[k];
        if (argument != "--" + name && argument.rfind("--" + name + "=", 0) != 0) continue;
        for (int later = k; later < argc; ++later) argv[later] = argv[later + 1];
        --argc;
        return argument.substr(std::min(argument.size(), name.size() + 3));
    }
    return {};
}

bool any_wrong = false;

void fail(benchmark::State& state, const std::string& what) {
    any_wrong = true;
    state.SkipWithError(what.c_str());
}

// One measurement of a row is the median of several calls, so an iteration is all of them.
void run(benchmark::State& state, bench::Bench& bench, const bench::Row& row, std::int64_t elements) {
    try {
        const bench::Case made = row.make(bench, elements);
        state.SetLabel(made.description);
        double seconds = 0;
        for (auto _ : state) {
            seconds = made.seconds ? made.seconds() : bench.measure(made.call);
            state.SetIterationTime(seconds);
        }
        const std::string wrong = made.wrong();
        if (!wrong.empty()) return fail(state, wrong);
        const double limit = bench.limit(made.limit);
        double least = limit > 0 ? (made.bytes - made.gap_bytes) / limit : 0;
        if (made.gap_bytes > 0) least += made.gap_bytes / bench.limit(bench::Limit::gaps);
        state.counters["elements"] = static_cast<double>(elements);
        if (made.bytes > 0) state.counters["bytes_per_s"] = made.bytes / seconds;
        if (made.operations > 0) state.counters["operations_per_s"] = made.operations / seconds;
        if (limit > 0) state.counters["share_of_limit"] = least / seconds;
    } catch (const std::exception& error) {
        fail(state, error.what());
    }
}

void add(bench::Bench& bench, const bench::Row& row, const std::string& name, std::int64_t elements) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&bench, row, elements](benchmark::State& state) { run(state, bench, row, elements); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
}

void add_limit(bench::Bench& bench, const std::string& name, bench::Limit limit) {
    const auto measure = [&bench, limit](benchmark::State& state) {
        try {
            const double bytes_per_s = bench.limit(limit);
            if (bytes_per_s == 0) return state.SkipWithError("not on this device");
            for (auto _ : state) state.SetIterationTime(1 / bytes_per_s);
            state.counters["bytes_per_s"] = bytes_per_s;
        } catch (const std::exception& error) {
            fail(state, error.what());
        }
    };
    benchmark::RegisterBenchmark(("limit/" + name).c_str(), measure)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kNanosecond);
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (const auto value = taken(argc, argv, "elements")) options.elements = std::atoi(value->c_str());
    if (const auto value = taken(argc, argv, "most")) options.most = std::atoi(value->c_str());
    if (const auto value = taken(argc, argv, "growth")) options.growth = *value;
    const bool about = taken(argc, argv, "about").has_value(), plant = taken(argc, argv, "plant").has_value();
    const bool all = options.growth == "all", none = options.growth == "none";
    if (options.elements < 10 || options.elements > 31 || options.most > 33 ||
        (!all && !none && options.growth != "coarse")) {
        std::fprintf(stderr, "--elements is 10 to 31, --most at most 33, --growth coarse, all or none\n");
        return 2;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    const gpu::Device device = gpu::Device::current();
    const gpu::DeviceProperties properties = device.properties();
    if (about) {
        std::printf("%s\n%s\n%s\n", device.to_string().c_str(), properties.name.c_str(), gpu::why_no_gpu().c_str());
        return 0;
    }
    benchmark::AddCustomContext("device", device.to_string());
    benchmark::AddCustomContext("card", properties.name);
    benchmark::AddCustomContext("table_elements", std::to_string(options.elements));
    benchmark::AddCustomContext("day", today());

    bench::Bench bench(std::int64_t{1} << options.elements);
    add_limit(bench, "stream", bench::Limit::stream);
    add_limit(bench, "read", bench::Limit::read);
    add_limit(bench, "write", bench::Limit::write);
    add_limit(bench, "gaps", bench::Limit::gaps);
    add_limit(bench, "philox", bench::Limit::philox);
    add_limit(bench, "philox_normal", bench::Limit::philox_normal);
    if (plant)
        for (const bench::Row& row : bench::planted_rows()) add(bench, row, row.name, bench.elements());
    std::vector<bench::Row> grown;
    for (const auto& rows : {bench::elementwise_rows(), bench::reduction_rows(), bench::order_rows(),
                             bench::function_rows(), bench::random_rows(), bench::image_rows(), bench::matrix_rows(),
                             bench::linear_rows(), bench::host_rows(), bench::shape_rows(), bench::drawn_rows()}) {
        for (const bench::Row& row : rows) {
            if (row.grows) grown.push_back(row);
            if (!row.in_table) continue;
            // A small table leaves out what is large by its own nature.
            if (row.size > 4 * bench.elements() && bench.elements() < (std::int64_t{1} << 26)) continue;
            add(bench, row, row.name, row.size > 0 ? row.size : bench.elements() / row.share);
        }
    }
    for (const bench::Row& row : grown) {
        for (int exponent = 10; exponent <= options.most && !none; exponent += all ? 1 : 3) {
            const std::int64_t elements = std::int64_t{1} << exponent;
            if (row.largest > 0 && elements > row.largest) break;
            if (static_cast<double>(elements) * 14 > 0.8 * static_cast<double>(properties.total_memory)) break;
            add(bench, row, "growth/" + row.name + "/2^" + std::to_string(exponent), elements);
        }
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return any_wrong ? 1 : 0;
}
