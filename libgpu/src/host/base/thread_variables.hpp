// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/export.hpp>

// What each OS thread has of its own, and what a signal handler or a kernel's barrier reads. Such variables are in
// memory that each thread is given when it starts (initial-exec): reading one allocates nothing and calls nothing. A
// library with such variables can't be opened by a running program unless they are few and small, and libgpu.so's
// others aren't (the CUDA runtime's alone have 4096 bytes): so these are in a library of their own.
#define GPU_THREAD_VARIABLE extern GPU_API __attribute__((tls_model("initial-exec"))) __thread

namespace gpu::detail::host {

class BlockScheduler;
class BlockWatch;
class Worker;

GPU_THREAD_VARIABLE Worker* this_worker;
/// This OS thread's, once it has run a block. Kernels don't hand it over: where they would read it from is a stack that
/// is only just being switched to, and each thread's switch would wait for the one before it.
GPU_THREAD_VARIABLE BlockScheduler* running_scheduler;
/// The watch of the kernel that this OS thread runs; null: none.
GPU_THREAD_VARIABLE BlockWatch* this_watch;
/// While a signal handler from before runs: if that one hands the signal back to us, the default action is next.
GPU_THREAD_VARIABLE bool passing_on_signal;

}  // namespace gpu::detail::host
