// SPDX-License-Identifier: MIT
// printf(). Of generated kernels, those that name it get it. Before it, a mode defines gpu_calls and GPU_UNCHECKED.

#pragma GCC system_header
GPU_UNCHECKED __attribute__((cold, noinline)) inline void gpu_print(const char* format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    GPU_HOST(print)(format, list);
    __builtin_va_end(list);
}
// A GPU's printf returns how many arguments it was given.
template <class... A> GPU_INLINE int printf(const char* format, A... arguments) {
    if (format == nullptr) return -1;
    gpu_print(format, arguments...);
    return (int)sizeof...(A);
}
