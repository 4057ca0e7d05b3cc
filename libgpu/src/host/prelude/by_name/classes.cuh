// SPDX-License-Identifier: MIT
// For classes with virtual functions: the functions that a compiler calls implicitly.

#pragma GCC system_header
#pragma once
extern "C" __attribute__((visibility("hidden"), noreturn)) void __cxa_pure_virtual() { __builtin_trap(); }
#ifndef GPU_HEAP  // which defines them
void operator delete(void*) noexcept { __builtin_trap(); }
void operator delete(void*, size_t) noexcept { __builtin_trap(); }
#endif
