// SPDX-License-Identifier: MIT
// <cooperative_groups/reduce.h>.

#pragma GCC system_header
#ifndef GPU_GROUPS_REDUCE
#define GPU_GROUPS_REDUCE
#include "cooperative_groups.h"
namespace cooperative_groups {
#define GPU_GROUP_OPERATION(name, value) \
    template <class T = void> struct name { GPU_INLINE T operator()(T a, T b) const { return value; } }; \
    template <> struct name<void> { template <class T> GPU_INLINE T operator()(T a, T b) const { return value; } };
GPU_GROUP_OPERATION(plus, a + b) GPU_GROUP_OPERATION(less, b < a ? b : a) GPU_GROUP_OPERATION(greater, a < b ? b : a)
GPU_GROUP_OPERATION(bit_and, a & b) GPU_GROUP_OPERATION(bit_or, a | b) GPU_GROUP_OPERATION(bit_xor, a ^ b)
#undef GPU_GROUP_OPERATION
// In a fixed tree over the group's threads, without those that have ended.
template <class G, class T, class F> GPU_INLINE T reduce(const G& group, T value, F operation, GPU_LINE) {
    const unsigned there = group.gpu_there(line), rank = group.thread_rank();
    for (unsigned by = 1; by < group.size(); by *= 2) {
        const T other = group.shfl(value, (int)(rank + by < group.size() ? rank + by : rank), line);
        if (rank % (2 * by) == 0 && rank + by < group.size() && (there >> ((rank + by) & 31) & 1) != 0)
            value = operation(value, other);
    }
    return group.shfl(value, 0, line);
}
}  // namespace cooperative_groups
#endif
