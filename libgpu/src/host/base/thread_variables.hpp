// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/export.hpp>

// Variables of each OS thread that a signal handler or a kernel's barrier reads. They are in memory that each thread
// gets when it starts (initial-exec): reading one allocates nothing and calls nothing. A running program can't open a
// library with such variables unless they are few and small, and libgpu.so's others aren't (the CUDA runtime's alone
// have 4096 bytes): so these are in a separate library.
#define GPU_THREAD_VARIABLE extern GPU_API __attribute__((tls_model("initial-exec"))) __thread

namespace gpu::detail::host {

class BlockScheduler;
class BlockWatch;
class Worker;

GPU_THREAD_VARIABLE Worker* this_worker;
/// This OS thread's scheduler, once it has run a block. Kernels don't pass it: they would read it from a stack that is
/// only just being switched to, and each thread's switch would wait for the previous one.
GPU_THREAD_VARIABLE BlockScheduler* running_scheduler;
/// The watch of the kernel that this OS thread runs; null: none.
GPU_THREAD_VARIABLE BlockWatch* this_watch;
/// Set while a previous signal handler runs: if that one passes the signal back to us, the default action is next.
GPU_THREAD_VARIABLE bool passing_on_signal;

}  // namespace gpu::detail::host
