// SPDX-License-Identifier: MIT
// For the device's half: assert() stays as it is written, so that a failure's message has its condition.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#endif
#ifndef GPUCC_DEVICE_ASSERT
#define GPUCC_DEVICE_ASSERT
extern "C" void __assert_fail(const char*, const char*, unsigned int, const char*) __attribute__((noreturn));
#endif
