// SPDX-License-Identifier: MIT
#include "report/profile_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/work/budgets.hpp"
#include "libgpu/src/facts/json.hpp"
#include "report/terminal.hpp"
#include "support/csv.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using gpu::facts::Json;
using gpu::facts::number_or_null;

/// A metric of Nsight Compute, where its value goes, and how the values of several launches make one.
struct Metric {
    std::string_view name;
    double MeasuredKernel::*value;
    enum { summed, weighted_by_time, largest } several;
};

constexpr Metric metrics[] = {
    {"gpu__time_duration.sum", &MeasuredKernel::nanoseconds, Metric::summed},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", &MeasuredKernel::memory_percent, Metric::weighted_by_time},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", &MeasuredKernel::compute_percent, Metric::weighted_by_time},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", &MeasuredKernel::warps_percent, Metric::weighted_by_time},
    {"launch__registers_per_thread", &MeasuredKernel::registers, Metric::largest},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &MeasuredKernel::global_requests, Metric::summed},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &MeasuredKernel::global_sectors, Metric::summed},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", &MeasuredKernel::global_requests, Metric::summed},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &MeasuredKernel::global_sectors, Metric::summed},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", &MeasuredKernel::global_requests, Metric::summed},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", &MeasuredKernel::global_sectors, Metric::summed},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", &MeasuredKernel::global_requests, Metric::summed},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", &MeasuredKernel::global_sectors, Metric::summed},
    {"smsp__inst_executed_op_shared_ld_pred_on_any.sum", &MeasuredKernel::shared_requests, Metric::summed},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", &MeasuredKernel::shared_wavefronts, Metric::summed},
    {"smsp__inst_executed_op_shared_st_pred_on_any.sum", &MeasuredKernel::shared_requests, Metric::summed},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", &MeasuredKernel::shared_wavefronts, Metric::summed},
    {"smsp__inst_executed_op_shared_atom_pred_on_any.sum", &MeasuredKernel::shared_requests, Metric::summed},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", &MeasuredKernel::shared_wavefronts, Metric::summed},
    {"smsp__inst_executed.sum", &MeasuredKernel::warp_instructions, Metric::summed},
    {"smsp__thread_inst_executed.sum", &MeasuredKernel::thread_instructions, Metric::summed},
};

/// A reason for which a warp doesn't issue ("Warp Stall Reasons" in Nsight Compute's documentation), and what to do.
struct Wait {
    std::string_view reason;
    std::string_view noun;
    std::string_view cure;
};

constexpr std::string_view more_in_flight =
    "keep more bytes under way, with more warps or with several loads per thread (lesson 14)";
constexpr Wait reasons[] = {
    {"long_scoreboard", "loads", more_in_flight},
    {"lg_throttle", "the queue of global accesses", "make fewer and wider accesses (lesson 6)"},
    {"short_scoreboard", "shared memory", "access it less often, or keep values in registers (lesson 11)"},
    {"mio_throttle", "the queue of shared memory", "make fewer shared accesses, or shuffle in the warp (lesson 8)"},
    {"barrier", "barriers", "make the threads of a block do equal work, or wait less often (lesson 8)"},
    {"math_pipe_throttle", "arithmetic units", "they are busy: compute less, or in a smaller type (lesson 11)"},
    {"wait", "the instruction before", "give each thread independent work (lesson 14)"},
    {"branch_resolving", "branches", "branch less often, or alike within a warp (lesson 10)"},
    {"not_selected", "their turn", "there are warps enough: fewer instructions are what helps"},
    {"membar", "memory fences", "fence less often"},
    {"drain", "stores to finish", "let neighbours store to neighbours (lesson 6)"},
    {"no_instruction", "instructions to be fetched", "the kernel is long, or short-lived: unroll less"},
    {"imc_miss", "constants to be fetched", "let a warp read the same constant at a time"},
};

std::string stall_metric(std::string_view reason) {
    return fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", reason);
}

constexpr double of_nothing = 0.005;  // of a percentage: shown as 0

std::optional<double> ratio(double of, double per) { return per > 0 ? std::optional(of / per) : std::nullopt; }

/// "void gpu::(anonymous namespace)::add<float>(const float *, int)" is "add<float>".
std::string kernel_name(std::string_view signature) {
    int depth = 0;
    std::size_t begin = 0, end = signature.size();
    for (std::size_t k = 0; k < signature.size(); ++k) {
        const char c = signature[k];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth > 0) continue;
        if (signature.substr(k).starts_with("(anonymous namespace)"))
            k += std::string_view("(anonymous namespace)").size() - 1;
        else if (c == '(') {
            end = k;
            break;
        } else if (c == ' ' || c == ':') {
            begin = k + 1;
        }
    }
    std::string_view name = signature.substr(begin, end - begin);
    constexpr std::string_view own = "libgpu_";  // a generated kernel's, on a GPU
    if (name.starts_with(own)) name.remove_prefix(own.size());
    return std::string(name);
}

std::string_view without_template_arguments(std::string_view name) { return name.substr(0, name.find('<')); }

/// A cell's number: the profiler writes 1,048,576. @throws ProfileError
double number_in(const std::string& cell, std::string_view column) {
    std::string digits = cell;
    std::erase(digits, ',');
    const std::optional<double> number = number_from<double>(digits);
    if (!number || !std::isfinite(*number))
        throw ProfileError(fmt::format("the column {} has \"{}\" in place of a number", column, plain_line(cell)));
    return *number;
}

/// The nanoseconds in this unit.
double unit_factor(std::string_view unit) {
    constexpr std::pair<std::string_view, double> units[] = {{"us", 1e3},      {"usecond", 1e3}, {"ms", 1e6},
                                                             {"msecond", 1e6}, {"s", 1e9},       {"second", 1e9}};
    for (const auto& [name, factor] : units)
        if (unit == name) return factor;
    return 1;
}

void add_launch(MeasuredKernel& kernel, const MeasuredKernel& launch) {
    const double before = kernel.nanoseconds, all = before + launch.nanoseconds;
    const auto weighted = [&](double one, double other) {
        return all > 0 ? (one * before + other * launch.nanoseconds) / all : other;
    };
    // Some values are sums of two metrics, which must not be added twice.
    std::vector<double MeasuredKernel::*> done;
    for (const Metric& metric : metrics) {
        if (std::find(done.begin(), done.end(), metric.value) != done.end()) continue;
        done.push_back(metric.value);
        double& value = kernel.*metric.value;
        const double more = launch.*metric.value;
        if (metric.several == Metric::weighted_by_time) value = weighted(value, more);
        if (metric.several == Metric::largest) value = std::max(value, more);
        if (metric.several == Metric::summed) value += more;
    }
    for (const auto& [reason, warps] : launch.waits) kernel.waits[reason] = weighted(kernel.waits[reason], warps);
    ++kernel.launches;
}

}  // namespace

std::string profiler_metrics() {
    std::vector<std::string> names;
    for (const Metric& metric : metrics) names.emplace_back(metric.name);
    for (const Wait& wait : reasons) names.push_back(stall_metric(wait.reason));
    return fmt::format("{}", fmt::join(names, ","));
}

MeasuredProfile measured_profile(std::string_view csv) {
    // Before the table stand the profiler's own messages.
    const std::size_t begin = csv.starts_with("\"ID\"") ? 0 : csv.find("\n\"ID\"");
    if (begin == csv.npos)
        throw ProfileError(
            "there is no table of kernels in it. Export one by `ncu --import FILE.ncu-rep --csv --page raw`");
    const CsvCells table = csv_cells(csv.substr(begin == 0 ? 0 : begin + 1));
    const std::vector<CsvCell>& head = table.rows.front().cells;
    const auto column = [&](std::string_view name) -> std::optional<std::size_t> {
        const auto at = std::find_if(head.begin(), head.end(), [&](const CsvCell& cell) { return cell.text == name; });
        return at == head.end() ? std::nullopt : std::optional<std::size_t>(at - head.begin());
    };
    const std::optional<std::size_t> name = column("Kernel Name"), device = column("device__attribute_display_name");
    if (!name) throw ProfileError("its table has no column \"Kernel Name\"; `ncu --csv --page raw` writes one");
    constexpr std::size_t needed = 4;  // without time and percentages there is nothing to say
    for (const Metric& metric : std::span(metrics).first(needed))
        if (!column(metric.name))
            throw ProfileError(fmt::format("its table has no {}. Measure with\n  ncu --csv --page raw --metrics {}",
                                           metric.name, profiler_metrics()));
    MeasuredProfile profile;
    const std::vector<CsvCell>* units = nullptr;
    for (const CsvCells::Row& row : table.rows) {
        if (&row == &table.rows.front()) continue;
        if (row.cells.size() != head.size()) continue;  // the profiler's last messages
        if (row.cells.front().text.empty()) {
            units = &row.cells;
            continue;
        }
        MeasuredKernel launch;
        launch.name = kernel_name(row.cells[*name].text);
        for (const Metric& metric : metrics) {
            const std::optional<std::size_t> at = column(metric.name);
            if (!at || row.cells[*at].text.empty()) continue;
            const double factor =
                units != nullptr && metric.value == &MeasuredKernel::nanoseconds ? unit_factor((*units)[*at].text) : 1;
            launch.*metric.value += factor * number_in(row.cells[*at].text, metric.name);
        }
        for (const Wait& wait : reasons)
            if (const std::optional<std::size_t> at = column(stall_metric(wait.reason));
                at && !row.cells[*at].text.empty())
                launch.waits[std::string(wait.reason)] = number_in(row.cells[*at].text, head[*at].text);
        if (device && profile.device.empty()) profile.device = plain_line(row.cells[*device].text);
        auto kernel = std::find_if(profile.kernels.begin(), profile.kernels.end(),
                                   [&](const MeasuredKernel& one) { return one.name == launch.name; });
        if (kernel == profile.kernels.end()) {
            profile.kernels.push_back({.name = launch.name, .waits = {}});
            kernel = profile.kernels.end() - 1;
        }
        add_launch(*kernel, launch);
    }
    if (profile.kernels.empty()) throw ProfileError("no kernel ran while the profiler looked");
    return profile;
}

Profile joined_profile(const CheckResult& check, const MeasuredProfile& measured) {
    Profile profile;
    profile.device = measured.device;
    profile.counted_case = check.work_case;
    for (const MeasuredKernel& kernel : measured.kernels) profile.kernels.push_back({kernel.name, {}, {}, {}, kernel});
    std::stable_sort(profile.kernels.begin(), profile.kernels.end(), [](const auto& one, const auto& other) {
        return one.measured->nanoseconds > other.measured->nanoseconds;
    });
    for (const KernelCounts& counts : check.kernels) {
        const auto is_it = [&](const ProfiledKernel& one) {
            return one.name == counts.name ||
                   without_template_arguments(one.name) == without_template_arguments(counts.name);
        };
        auto kernel = std::find_if(profile.kernels.begin(), profile.kernels.end(), is_it);
        if (kernel == profile.kernels.end()) {
            profile.kernels.push_back({counts.name, {}, {}, {}, {}});
            kernel = profile.kernels.end() - 1;
        }
        std::vector<KernelCounts> all;  // its launches of other shapes, and its other instances
        for (const KernelCounts& one : check.kernels)
            if (without_template_arguments(one.name) == without_template_arguments(counts.name)) all.push_back(one);
        const WorkCounts work = total(all);
        if (work.global_requests > 0) kernel->sectors_per_request = counted(all, "sectors_per_request");
        if (work.shared_requests > 0) kernel->wavefronts_per_request = counted(all, "bank_conflict_ways");
        kernel->divergent_percent = ratio(100 * static_cast<double>(work.divergent_requests),
                                          static_cast<double>(work.global_requests + work.shared_requests));
    }
    return profile;
}

namespace {

std::string shown(const std::optional<double>& number) { return number ? fmt::format("{:.1f}", *number) : "-"; }
std::string percent(double value) { return fmt::format("{:.0f} %", value < of_nothing ? 0 : value); }

void add_row(std::string& text, std::string_view title, const std::string& counted, const std::string& measured) {
    text += fmt::format("  {:<36}{:>9}{}\n", title, counted, measured.empty() ? "" : fmt::format("{:>11}", measured));
}

/// What the warps wait for most, and its part of all waits; null: unknown.
std::pair<const Wait*, double> longest_wait(const MeasuredKernel& kernel) {
    const Wait* longest = nullptr;
    double warps = 0, all = 0;
    for (const Wait& wait : reasons) {
        const auto at = kernel.waits.find(std::string(wait.reason));
        if (at == kernel.waits.end()) continue;
        all += at->second;
        if (!(at->second > warps)) continue;
        warps = at->second;
        longest = &wait;
    }
    return {longest, all > 0 ? warps / all : 0};
}

constexpr double is_busy = 60;  // percent of a peak, from where on it is what limits a kernel

std::string limit_sentence(const MeasuredKernel& kernel) {
    const double memory = kernel.memory_percent, compute = kernel.compute_percent;
    if (memory >= is_busy && memory >= compute)
        return fmt::format("{:.0f} % of memory's bandwidth: that is what limits it, so move fewer bytes (lesson 5).",
                           memory);
    if (compute >= is_busy)
        return fmt::format(
            "{:.0f} % of the multiprocessors' rate: instructions limit it, so execute fewer of them, "
            "or use a library that is tuned (lesson 11).",
            compute);
    return fmt::format("Neither memory ({:.0f} %) nor the multiprocessors ({:.0f} %) are busy: its warps wait.", memory,
                       compute);
}

/// "" if one of the two is missing.
std::string counts_sentence(std::string_view noun, const std::optional<double>& counted,
                            const std::optional<double>& measured) {
    if (!counted || !measured) return "";
    constexpr double alike = 0.1;
    const bool agree = std::abs(*counted - *measured) <= alike * std::max(*counted, *measured);
    return fmt::format("{:.1f} {} per request counted, {:.1f} measured{}.", *counted, noun, *measured,
                       agree ? "" : " (the sizes differ, and a compiler may join or repeat accesses)");
}

constexpr double many_wavefronts = 2;  // per request, from where on bank conflicts take most of the time

/// What to do about it; "" if it is as busy as it can be.
std::string remedy(const MeasuredKernel& kernel, double sectors, double wavefronts, double lanes) {
    constexpr double many_sectors = 6, few_lanes = 16;  // far from 4 and 32
    if (sectors >= many_sectors) return "Let neighbouring threads access neighbouring elements (lesson 6).";
    if (wavefronts >= many_wavefronts)
        return "Bank conflicts make shared memory slow: pad the rows of the tile (lesson 6).";
    if (lanes < few_lanes)
        return fmt::format("In an instruction only {:.1f} of 32 lanes work: let whole warps work, or rest (lesson 10).",
                           lanes);
    if (std::max(kernel.memory_percent, kernel.compute_percent) >= is_busy) return "";
    const Wait* const wait = longest_wait(kernel).first;
    return wait == nullptr ? "" : fmt::format("Warps wait for {} most often: {}.", wait->noun, wait->cure);
}

std::string sentences(const ProfiledKernel& kernel, std::size_t columns) {
    const MeasuredKernel& measured = *kernel.measured;
    const std::optional<double> sectors = ratio(measured.global_sectors, measured.global_requests),
                                wavefronts = ratio(measured.shared_wavefronts, measured.shared_requests);
    const double lanes = ratio(measured.thread_instructions, measured.warp_instructions).value_or(32);
    const bool conflicts = wavefronts.value_or(0) >= many_wavefronts;
    const std::string all[] = {conflicts ? counts_sentence("wavefronts", kernel.wavefronts_per_request, wavefronts)
                                         : counts_sentence("sectors", kernel.sectors_per_request, sectors),
                               limit_sentence(measured),
                               remedy(measured, sectors.value_or(0), wavefronts.value_or(0), lanes)};
    std::vector<std::string> said;
    std::copy_if(std::begin(all), std::end(all), std::back_inserter(said),
                 [](const auto& one) { return !one.empty(); });
    return wrapped(fmt::format("{}", fmt::join(said, " ")), 2, columns);
}

std::string kernel_text(const ProfiledKernel& kernel, std::size_t columns) {
    std::string text = fmt::format("{:<38}{:>9}{}\n", kernel.name, "counted",
                                   kernel.measured ? fmt::format("{:>11}", "measured") : "");
    const MeasuredKernel measured = kernel.measured.value_or(MeasuredKernel{});
    const auto beside = [&](double of, double per) { return kernel.measured ? shown(ratio(of, per)) : ""; };
    add_row(text, "sectors per request, global", shown(kernel.sectors_per_request),
            beside(measured.global_sectors, measured.global_requests));
    if (kernel.wavefronts_per_request || measured.shared_requests > 0)
        add_row(text, "wavefronts per request, shared", shown(kernel.wavefronts_per_request),
                beside(measured.shared_wavefronts, measured.shared_requests));
    if (kernel.divergent_percent)
        add_row(text, "requests with idle lanes", percent(*kernel.divergent_percent), kernel.measured ? "-" : "");
    if (!kernel.measured) return text;
    add_row(text, "lanes per instruction, of 32", "-",
            shown(ratio(measured.thread_instructions, measured.warp_instructions)));
    add_row(text, "registers per thread", "-", fmt::format("{:.0f}", measured.registers));
    add_row(text, "resident warps, of the most", "-", percent(measured.warps_percent));
    add_row(text, "memory's bandwidth", "-", percent(measured.memory_percent));
    add_row(text, "multiprocessors' rate", "-", percent(measured.compute_percent));
    if (const auto [wait, share] = longest_wait(measured); wait != nullptr)
        add_row(text, fmt::format("waits for {}", wait->noun), "-", percent(100 * share));
    add_row(text, measured.launches == 1 ? "time" : fmt::format("time of {} launches", measured.launches), "-",
            duration_text(measured.nanoseconds / 1e9));
    return text + "\n" + sentences(kernel, columns);
}

}  // namespace

std::string profile_text(const Profile& profile, std::size_t max_kernels, std::size_t columns) {
    std::string text = fmt::format("{}, task {}", profile.answer, profile.task);
    if (!profile.counted_case.empty()) text += fmt::format("; counted: {}", profile.counted_case);
    if (!profile.device.empty()) text += fmt::format("; measured: {} on {}", profile.measured_case, profile.device);
    text += "\n";
    const std::size_t many = std::min(max_kernels, profile.kernels.size());
    for (std::size_t k = 0; k < many; ++k) text += "\n" + kernel_text(profile.kernels[k], columns);
    if (many < profile.kernels.size())
        text += fmt::format("\n{}: {}\n", plural(profile.kernels.size() - many, "more kernel"),
                            profile.kernels[many].name + (many + 1 < profile.kernels.size() ? ", ..." : ""));
    return text;
}

namespace {

std::optional<double> optional_number(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

constexpr const char* divergent_percent = "divergent_percent";  // older recordings don't have it

/// The name of a value in recorded profiles, and the value.
struct RecordedValue {
    const char* name;
    double MeasuredKernel::*value;
};
constexpr RecordedValue recorded_values[] = {
    {"nanoseconds", &MeasuredKernel::nanoseconds},
    {"memory_percent", &MeasuredKernel::memory_percent},
    {"compute_percent", &MeasuredKernel::compute_percent},
    {"warps_percent", &MeasuredKernel::warps_percent},
    {"registers", &MeasuredKernel::registers},
    {"global_requests", &MeasuredKernel::global_requests},
    {"global_sectors", &MeasuredKernel::global_sectors},
    {"shared_requests", &MeasuredKernel::shared_requests},
    {"shared_wavefronts", &MeasuredKernel::shared_wavefronts},
    {"warp_instructions", &MeasuredKernel::warp_instructions},
    {"thread_instructions", &MeasuredKernel::thread_instructions},
};

Json kernel_json(const ProfiledKernel& kernel) {
    Json measured = nullptr;
    if (kernel.measured) {
        measured = {{"launches", kernel.measured->launches}};
        for (const auto& [name, value] : recorded_values) measured[name] = (*kernel.measured).*value;
        measured["waits"] = kernel.measured->waits;
    }
    return {{"name", kernel.name},
            {"counted",
             {{"sectors_per_request", number_or_null(kernel.sectors_per_request)},
              {"wavefronts_per_request", number_or_null(kernel.wavefronts_per_request)},
              {divergent_percent, number_or_null(kernel.divergent_percent)}}},
            {"measured", measured}};
}

ProfiledKernel kernel_of(const Json& json) {
    ProfiledKernel kernel;
    kernel.name = json.at("name");
    kernel.sectors_per_request = optional_number(json.at("counted").at("sectors_per_request"));
    kernel.wavefronts_per_request = optional_number(json.at("counted").at("wavefronts_per_request"));
    kernel.divergent_percent = optional_number(json.at("counted").value(divergent_percent, Json()));
    const Json& measured = json.at("measured");
    if (measured.is_null()) return kernel;
    kernel.measured.emplace();
    kernel.measured->name = kernel.name;
    kernel.measured->launches = measured.at("launches");
    for (const auto& [name, value] : recorded_values) (*kernel.measured).*value = measured.at(name);
    kernel.measured->waits = measured.at("waits").get<std::map<std::string, double>>();
    return kernel;
}

}  // namespace

std::string profiles_json(std::span<const Profile> profiles) {
    return gpu::facts::json_text(
               gpu::facts::json_list(profiles,
                                     [](const Profile& profile) -> Json {
                                         return {{"answer", profile.answer},
                                                 {"task", profile.task},
                                                 {"device", profile.device},
                                                 {"counted_case", profile.counted_case},
                                                 {"measured_case", profile.measured_case},
                                                 {"kernels", gpu::facts::json_list(profile.kernels, kernel_json)}};
                                     }),
               1) +
           "\n";
}

std::vector<Profile> recorded_profiles(std::string_view json) {
    std::vector<Profile> profiles;
    try {
        for (const Json& one : Json::parse(json)) {
            Profile profile{.answer = one.at("answer"),
                            .task = one.at("task"),
                            .device = one.at("device"),
                            .counted_case = one.at("counted_case"),
                            .measured_case = one.at("measured_case"),
                            .kernels = {}};
            for (const Json& kernel : one.at("kernels")) profile.kernels.push_back(kernel_of(kernel));
            profiles.push_back(std::move(profile));
        }
    } catch (const Json::exception& error) {
        throw ProfileError(fmt::format("it isn't a recorded profile: {}", error.what()));
    }
    return profiles;
}

}  // namespace course
