// SPDX-License-Identifier: MIT
#include <gpu/check.hpp>

namespace gpu {

WorkCounts& WorkCounts::operator+=(const WorkCounts& more) noexcept {
    global_reads += more.global_reads;
    global_writes += more.global_writes;
    global_bytes_read += more.global_bytes_read;
    global_bytes_written += more.global_bytes_written;
    global_requests += more.global_requests;
    global_sectors += more.global_sectors;
    global_segments += more.global_segments;
    shared_reads += more.shared_reads;
    shared_writes += more.shared_writes;
    shared_bytes_read += more.shared_bytes_read;
    shared_bytes_written += more.shared_bytes_written;
    shared_requests += more.shared_requests;
    shared_wavefronts += more.shared_wavefronts;
    atomics += more.atomics;
    barriers += more.barriers;
    warp_operations += more.warp_operations;
    divergent_requests += more.divergent_requests;
    return *this;
}

}  // namespace gpu
