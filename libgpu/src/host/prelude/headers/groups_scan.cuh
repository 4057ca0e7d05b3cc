// SPDX-License-Identifier: MIT
// <cooperative_groups/scan.h>.

#pragma GCC system_header
#ifndef GPU_GROUPS_SCAN
#define GPU_GROUPS_SCAN
#include "cooperative_groups/reduce.h"
namespace cooperative_groups {
template <class G, class T, class F> GPU_INLINE T inclusive_scan(const G& group, T value, F operation, GPU_LINE) {
    const unsigned rank = group.thread_rank();
    for (unsigned by = 1; by < group.size(); by *= 2) {
        const T other = group.shfl(value, (int)(rank >= by ? rank - by : rank), line);
        if (rank >= by) value = operation(other, value);
    }
    return value;
}
template <class G, class T> GPU_INLINE T inclusive_scan(const G& group, T value, GPU_LINE) {
    return inclusive_scan(group, value, plus<T>(), line);
}
// The first thread's is T().
template <class G, class T, class F> GPU_INLINE T exclusive_scan(const G& group, T value, F operation, GPU_LINE) {
    const unsigned rank = group.thread_rank();
    const T before = group.shfl(inclusive_scan(group, value, operation, line), (int)(rank > 0 ? rank - 1 : 0), line);
    return rank > 0 ? before : T();
}
template <class G, class T> GPU_INLINE T exclusive_scan(const G& group, T value, GPU_LINE) {
    return exclusive_scan(group, value, plus<T>(), line);
}
}  // namespace cooperative_groups
#endif
