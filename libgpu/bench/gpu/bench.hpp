// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

// What the rows of gpu_bench share: how a call is timed, and what this device can do at most.
namespace bench {

/// What bounds a row. Each limit is measured in the same run, the first time a row asks for it.
enum class Limit {
    none,
    stream,         ///< bytes/s: the faster of a device copy and a kernel with 16-byte loads that reads two, writes one
    read,           ///< bytes/s: a kernel with 16-byte loads that reads, or `stream` where that is faster
    write,          ///< bytes/s: a kernel with 16-byte stores
    gaps,           ///< bytes/s: a kernel that writes every second element; the gaps count, as sectors move whole
    philox,         ///< bytes/s written: cuRAND's uniform numbers from Philox
    philox_normal,  ///< bytes/s written: cuRAND's normal ones
    to_device,      ///< bytes/s: a copy from page-locked memory
    to_host,        ///< bytes/s: a copy to page-locked memory
};

/// One row at one size, ready to be measured.
struct Case {
    std::function<void()> call = {};          ///< what is timed by events; its inputs were drawn for this row
    std::function<std::string()> wrong = {};  ///< after the timing: what is wrong with the last call's result
    double bytes = 0;                         ///< that a call has to move
    double gap_bytes = 0;                     ///< of them, those of results with gaps, which Limit::gaps bounds
    double operations = 0;                    ///< floating-point operations of a call
    Limit limit = Limit::none;
    std::function<double()> seconds = {};  ///< instead of `call`: measures by itself, on the host
    std::string description = {};          ///< what the row's name doesn't say
};

class Bench;

/// A row of the table; those that grow are measured at many sizes.
struct Row {
    std::string name;
    std::function<Case(Bench&, std::int64_t)> make;  ///< for about so many elements
    bool grows = false;
    std::int64_t size = 0;     ///< of a row with a size of its own, else the table's
    std::int64_t largest = 0;  ///< where a row grows and more would take too long
    bool in_table = true;
    std::int64_t share = 1;  ///< the table's arrays have this part of its elements: 4 for a quarter
};

class Bench {
public:
    /// `elements` of the table's large arrays.
    explicit Bench(std::int64_t elements);

    [[nodiscard]] std::int64_t elements() const noexcept { return elements_; }
    [[nodiscard]] bool on_gpu() const noexcept { return on_gpu_; }

    /// The median of several calls in seconds, each between two events. Before each the cache is filled with other
    /// data, which the device is busy with while the host queues the call: a launch's cost on the host isn't in it.
    double measure(const std::function<void()>& call);

    /// In bytes/s; 0 if there is none here.
    double limit(Limit limit);

private:
    double measured(Limit limit);

    std::int64_t elements_;
    bool on_gpu_;
    gpu::Array<float> flush_;
    std::map<Limit, double> limits_;
};

/// How often a call of `seconds` is measured.
int repeats(double seconds);
double median(std::vector<double> values);

/// cuRAND's numbers in seconds, into an array; 0 where the library isn't there.
double curand_seconds(Bench& bench, gpu::Array<float>& target, bool normal);

// The rows, by topic.
std::vector<Row> elementwise_rows();
std::vector<Row> reduction_rows();
std::vector<Row> random_rows();
std::vector<Row> order_rows();
std::vector<Row> function_rows();
std::vector<Row> matrix_rows();
std::vector<Row> linear_rows();
std::vector<Row> image_rows();
std::vector<Row> host_rows();
/// The fixed set of random shapes and strides, as many elements each.
std::vector<Row> shape_rows();
/// Sorts, scans and masks of random shapes, which the rows' names say.
std::vector<Row> drawn_rows();
/// Rows with wrong results, for the test of the checks.
std::vector<Row> planted_rows();

/// A length that divides n: its root, where n is a power of two.
constexpr std::int64_t root_of(std::int64_t n) {
    std::int64_t side = 1;
    while (side * side * 4 <= n) side *= 2;
    return side;
}

}  // namespace bench
