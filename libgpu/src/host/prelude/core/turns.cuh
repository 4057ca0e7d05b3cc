// SPDX-License-Identifier: MIT
// For kernels that may poll a location until another thread changes it: every loop lets the block's other threads run
// now and then. The macros are only for the learner's text.

#pragma GCC system_header
static __thread unsigned gpu_turns;
__attribute__((noinline)) static void gpu_next_turn() { gpu_yield(); }
GPU_INLINE constexpr bool gpu_turn() {
    if (!__builtin_is_constant_evaluated() && __builtin_expect(++gpu_turns % 256 == 0, 0)) gpu_next_turn();
    return false;
}
#define while(...) while (gpu_turn(), (__VA_ARGS__))
#define for(...) for (__VA_ARGS__) if (gpu_turn()) {} else
