// SPDX-License-Identifier: MIT
// Stands in for cuFFT: it computes nothing, and writes down what it is asked for, a line a call.
#include <cstddef>
#include <sstream>
#include <string>

namespace {

std::string& log() {
    static std::string lines;
    return lines;
}
int plans = 0;
int status_of_plans = 0, failures = 0;

template <class... A>
void note(const A&... parts) {
    std::ostringstream line;
    (line << ... << parts);
    log() += line.str() + "\n";
}

std::string lengths(int rank, const long long* of) {
    std::string text;
    for (int k = 0; k < rank; ++k) text += (k > 0 ? "x" : "") + std::to_string(of[k]);
    return text;
}

}  // namespace

extern "C" {

const char* fake_cufft_log() { return log().c_str(); }
void fake_cufft_forget() { log().clear(); }
/// The next so many plans fail with this status.
void fake_cufft_fail(int status, int times) {
    status_of_plans = status;
    failures = times;
}

int cufftCreate(int* plan) {
    *plan = ++plans;
    return 0;
}
int cufftDestroy(int) {
    note("destroy");
    return 0;
}
int cufftSetAutoAllocation(int, int allocates) {
    note("allocates ", allocates);
    return 0;
}
int cufftXtMakePlanMany(int, int rank, long long* n, long long* from, long long from_stride, long long from_distance,
                        int from_type, long long* to, long long to_stride, long long to_distance, int to_type,
                        long long batch, std::size_t* workspace, int execution_type) {
    if (failures > 0) {
        --failures;
        return status_of_plans;
    }
    note("plan ", lengths(rank, n), " from ", lengths(rank, from), " ", from_stride, " ", from_distance, " type ",
         from_type, " to ", lengths(rank, to), " ", to_stride, " ", to_distance, " type ", to_type, " batch ", batch,
         " in ", execution_type);
    *workspace = n[0] == 1000 ? 0 : 4096;
    return 0;
}
int cufftSetStream(int, void* stream) {
    note(stream == nullptr ? "default stream" : "stream");
    return 0;
}
int cufftSetWorkArea(int, void* data) {
    note(data == nullptr ? "no workspace" : "workspace");
    return 0;
}
int cufftXtExec(int, void* from, void* to, int direction) {
    note("exec ", direction == -1 ? "forward" : "inverse", from == to ? " in place" : "");
    return 0;
}

}  // extern "C"
