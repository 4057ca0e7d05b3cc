// SPDX-License-Identifier: MIT
// printf(). Generated kernels get it if they name it. Before this file, a mode defines gpu_calls and GPU_UNCHECKED.

#pragma GCC system_header
GPU_UNCHECKED __attribute__((cold, noinline)) inline void gpu_print(const char* format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    GPU_HOST(print)(format, list);
    __builtin_va_end(list);
}
// A GPU's printf returns the number of arguments.
template <class... A> GPU_INLINE int printf(const char* format, A... arguments) {
    if (format == nullptr) return -1;
    gpu_print(format, arguments...);
    return (int)sizeof...(A);
}
