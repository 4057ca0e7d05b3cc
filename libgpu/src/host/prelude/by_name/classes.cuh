// SPDX-License-Identifier: MIT
// For classes with virtual functions: what a compiler calls without being asked.

#pragma GCC system_header
#pragma once
extern "C" __attribute__((visibility("hidden"), noreturn)) void __cxa_pure_virtual() { __builtin_trap(); }
#ifndef GPU_HEAP  // which has them
void operator delete(void*) noexcept { __builtin_trap(); }
void operator delete(void*, size_t) noexcept { __builtin_trap(); }
#endif
