// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/text.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// What Nsight Compute measured of a kernel, over all of its launches.
struct MeasuredKernel {
    std::string name;  ///< without parameters and namespaces: "add<float>"
    int launches = 0;
    double nanoseconds = 0;
    double memory_percent = 0, compute_percent = 0;  ///< of the peak; launches weighted by their time
    double warps_percent = 0;                        ///< resident warps, of the maximum
    double registers = 0;                            ///< per thread
    double global_requests = 0, global_sectors = 0;
    double shared_requests = 0, shared_wavefronts = 0;
    double warp_instructions = 0, thread_instructions = 0;
    /// Warps that wait for something, per instruction issued, by the profiler's name of the reason: "long_scoreboard".
    std::map<std::string, double> waits;
};

/// The text isn't a profile; the message says what to do.
class ProfileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The metrics for `ncu --metrics`, with commas between.
std::string profiler_metrics();

/// A profile's device, and its kernels in the order of their first launch.
struct MeasuredProfile {
    std::string device;  ///< "NVIDIA H200"; empty: not said
    std::vector<MeasuredKernel> kernels;
};

/// Reads what `ncu --csv --page raw` prints. @throws ProfileError
MeasuredProfile measured_profile(std::string_view csv);

/// A kernel, counted in check mode and measured on a GPU.
struct ProfiledKernel {
    std::string name;
    std::optional<double> sectors_per_request, wavefronts_per_request;   ///< counted; none: it made no such request
    std::optional<double> divergent_percent;   ///< of its requests, those that running lanes took no part in; counted
    std::optional<MeasuredKernel> measured;
};

/// An answer's kernels, counted and measured.
struct Profile {
    std::string answer;         ///< "yours", "the solution"
    std::string task;
    std::string device;         ///< of the measurement; empty: nothing was measured
    std::string counted_case, measured_case;
    std::vector<ProfiledKernel> kernels;   ///< those measured, the longest first; then those only counted
};

/// Brings a task's counts and a measurement together, kernel by kernel.
Profile joined_profile(const CheckResult& check, const MeasuredProfile& measured);

/// The profile as a table for each kernel, and up to three sentences on what it says, in lines of so many columns.
std::string profile_text(const Profile& profile, std::size_t max_kernels = 4, std::size_t columns = text_columns(96));

/// Recorded profiles: a JSON list.
std::string profiles_json(std::span<const Profile> profiles);
/// @throws ProfileError
std::vector<Profile> recorded_profiles(std::string_view json);

}  // namespace course
