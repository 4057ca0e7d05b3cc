// SPDX-License-Identifier: MIT
#pragma once

// The interface between libgpu and a compiled kernel. The same text is compiled into libgpu and passed, as a string, to
// the kernels' compiler as "abi.hpp"; so the two can't differ. Any change of meaning needs a new GPU_ABI.

// NOLINTBEGIN: one macro that both defines its argument and keeps its spelling.
#define GPU_HOST_ABI(...)                                \
    namespace gpu::detail::host { __VA_ARGS__ }          \
    namespace gpu::detail::host::text {                  \
    inline constexpr char abi[] = #__VA_ARGS__ "\n";     \
    }
// NOLINTEND

GPU_HOST_ABI(
    enum { GPU_ABI = 14 }; enum { gpu_pad_bytes = 8192 };
    struct uint3 { unsigned x, y, z; };

    // An asynchronous copy: `bytes` from `from`, then zeros. `site` is the place of the call, `thread` the caller.
    struct gpu_copy {
        void* to; const void* from;
        unsigned long bytes, zeros;
        const void* site;
        int line;
        unsigned align, thread;
    };

    enum gpu_texel_kind {
        gpu_texel_float, gpu_texel_int8, gpu_texel_uint8, gpu_texel_int16, gpu_texel_uint16, gpu_texel_int32,
        gpu_texel_uint32
    };
    enum gpu_fetch_function { gpu_fetch_tex1Dfetch, gpu_fetch_tex1D, gpu_fetch_tex2D };
    // A kernel's request to a texture: the function called, and the requested type.
    struct gpu_fetch {
        unsigned long long texture;
        unsigned function, kind, channels;
        int index;   // tex1Dfetch
        float x, y;
    };
    // The texels to read, with their weights; none beyond a border. `normalized`: integers become floats.
    struct gpu_texels {
        const void* texel[4];
        float weight[4];
        int count;
        unsigned kind;
        bool normalized;
    };

    // A kernel's calls into libgpu. `scheduler` is the worker's; `line` is the learner's.
    struct gpu_host_calls {
        void (*barrier)(void* scheduler, int line);
        unsigned (*barrier_count)(void* scheduler, unsigned predicate, int line);
        // `instruction`: mask (32 bits) | operation (16) | argument (16)
        unsigned long long (*warp)(void* scheduler, unsigned long long instruction, unsigned long long value, int line);
        void (*fail)(const char* what, const char* file, int line, const struct uint3* thread);
        void (*print)(const char* format, __builtin_va_list values);
        long long (*clock)();  // nanoseconds
        unsigned (*active_lanes)(void* scheduler, int line);
        void (*yield)(void* scheduler);  // lets the other threads of the block go on
        // Barrier 0 to 15 for this many of the block's threads, a multiple of 32.
        void (*part_barrier)(void* scheduler, unsigned barrier, unsigned threads, int line);
        // All blocks of a cooperative launch wait for each other; with `waits` false, only asks whether the launch is
        // one.
        bool (*grid_barrier)(void* scheduler, bool waits, int line);
        // Advances cuRAND's generator XORWOW by `n` steps, or `n` times 2^67.
        void (*skip_xorwow)(unsigned* words, unsigned long long n, bool sequences);
        // The kernels' heap. Null: not enough is left. False: no allocated piece begins there.
        void* (*allocate)(unsigned long long bytes);
        bool (*release)(void* data);
        // A copy that the wait for it performs. With a barrier: in which phase; null: in the thread's open group.
        void (*copy_later)(const struct gpu_copy* copy, const void* barrier, unsigned phase);
        void (*end_copy_group)();
        // The next copy to perform, from all of the thread's groups except the last `last`, or from a barrier's phases
        // up to `last`. False: none.
        bool (*next_copy)(struct gpu_copy* copy, const void* barrier, unsigned last);
        // Null, or what is wrong with the call.
        const char* (*texels)(const struct gpu_fetch* fetch, struct gpu_texels* texels);
    };

    enum gpu_warp_operation {
        gpu_warp_sync, gpu_warp_index, gpu_warp_up, gpu_warp_down, gpu_warp_xor, gpu_warp_ballot, gpu_warp_match,
        gpu_warp_match_all, gpu_warp_add, gpu_warp_min, gpu_warp_max, gpu_warp_min_unsigned, gpu_warp_max_unsigned,
        gpu_warp_and, gpu_warp_or, gpu_warp_bitxor
    };

    // Fiber mode: the running thread's view. One per worker, in the kernel's thread-local memory.
    struct gpu_thread_state {
        struct uint3 thread; unsigned index;   // the same as one number
        struct uint3 block; unsigned unused1;
        struct uint3 block_size; unsigned unused2;
        struct uint3 grid_size; unsigned unused3;
        void* scheduler;
        const struct gpu_host_calls* calls;
        unsigned long long atomics;
    };

    // Loop mode: runs the threads [begin, end) of the blocks from `block` to `block_end`, neighbours along x.
    struct gpu_block_call {
        struct uint3 grid_size, block_size;
        struct uint3 block;   // in and out: the running one
        unsigned block_end;   // along x
        struct uint3 begin, end;
        void* const* arguments;
        const struct gpu_host_calls* calls;
        unsigned long long atomics;  // out: incremented
    };

    // An argument of a generated kernel: the layout of gpu::detail::Argument.
    struct gpu_argument {
        bool is_array; bool is_raw;
        struct { void* data; long strides[8]; long lengths[8]; } array;
        alignas(16) unsigned char scalar[16];
    };
    struct gpu_elementwise_call {
        const struct gpu_argument* arguments;
        long size;
        const long* shape;
    };
    struct gpu_reduction_call {
        const struct gpu_argument* arguments;
        const long* kept;
        const long* reduced_shape;
        long reduced;
        long outputs;
        long groups;     // partial results of one output
        long base;       // the output that the first partial belongs to
        void* partials;  // [output - base][group]
    };
    // For check mode: elements k, k + lanes, ... of a group go to one thread, and `width` threads share one output.
    struct gpu_checked_reduction {
        struct gpu_reduction_call call;
        long outputs, group_size;
        int lanes, width;
    };

    // Check mode: what an instrumented kernel calls before it accesses memory. `site` is the place of the call. The
    // arrays are indexed by size: 1, 2, 4, 8, 16 bytes.
    struct gpu_check_calls {
        // of the kernel's object: valid targets of calls through pointers
        const void* code_begin; unsigned long code_bytes;
        void (*read[5])(const void* p, const void* site);
        void (*write[5])(const void* p, const void* site);
        void (*volatile_read[5])(const void* p, const void* site);
        void (*volatile_write[5])(const void* p, const void* site);
        void (*range)(const void* p, unsigned long size, bool write, const void* site);
        unsigned long long (*atomic)(int operation, void* p, unsigned size, unsigned long long value,
                                     // performs it, returns the old value
                                     unsigned long long expected, const void* site);
        void (*atomic_begins)();             // of an operation that may consist of several of the above
        void (*block_scope)();               // the next one is atomic only among its block's threads
        void (*fence)(int order);
        void (*copy)(void* to, const void* from, unsigned long size, const void* site);
        void (*fill)(void* to, int value, unsigned long size, const void* site);
        void (*out_of_bounds)(const void* description, unsigned long index, const void* site);
        void (*misaligned)(const void* description, const void* p, const void* site);
        void (*division)(const void* description, const void* site);
        void (*shift)(const void* description, unsigned long by, const void* site);  // by a number of bits out of range
        // A local array without an initialiser begins, and ends.
        void (*local_begins)(const void* p, unsigned long size, unsigned element, unsigned columns, const char* name);
        void (*local_ends)(const void* p);
        // malloc() and free(), see gpu_host_calls. A wrong free() ends the kernel.
        void* (*allocate)(unsigned long long bytes, const void* site);
        bool (*release)(void* data, int line, const void* site);  // 0: the site tells
        // An asynchronous copy is in progress between these two calls.
        void (*copy_begins)(const struct gpu_copy* copy);
        void (*copy_ends)(const struct gpu_copy* copy);
        // A barrier object's phase: a thread arrives, or has waited for its end.
        void (*barrier_phase)(const void* barrier, unsigned phase, bool waited);
    };
    enum gpu_check_atomic {
        gpu_check_load, gpu_check_store, gpu_check_exchange, gpu_check_add, gpu_check_sub, gpu_check_and, gpu_check_or,
        gpu_check_xor, gpu_check_nand, gpu_check_cas
    };

    struct gpu_parameter {
        const char* name;
        unsigned size;
        bool is_pointer;
        bool is_const;
        bool is_strided;   // generated kernels only
        unsigned element;  // the size of what a pointer points to; 0: unknown
        unsigned pointed;  // of a pointer to pointers: the size of what those point to; otherwise 0
        bool is_pointed_const;
        unsigned alignment;  // of what a pointer points to; 0: unknown
    };
    enum gpu_module_kind { gpu_module_loop, gpu_module_fiber, gpu_module_elementwise, gpu_module_reduction };

    // What a kernel's shared object exports as `libgpu_module`.
    struct gpu_module {
        unsigned abi;
        unsigned kind;
        const char* kernel;
        const struct gpu_parameter* parameters;
        int parameter_count;
        const char* parameter_names;   // "x, y, z, n": of a raw kernel, from its text
        const char* other_kernels;     // "mul, sub": whose __shared__ arrays aren't this kernel's

        void (*block)(struct gpu_block_call*);              // loop: vectorised; up to 2^31 threads along x
        void (*block_large)(struct gpu_block_call*);        // loop: any grid
        struct gpu_thread_state* (*state)();                // fiber
        void (*thread)(void* const* arguments);             // fiber: one thread, start to end
        void (*elements)(const struct gpu_elementwise_call*, long begin, long end);
        unsigned accumulator_size;
        void (*rows)(const struct gpu_reduction_call*, long output, long count, long group, long begin, long end);
        void (*columns)(const struct gpu_reduction_call*, long output, long count, long group, long begin, long end);
        void (*finish)(const struct gpu_reduction_call*, long begin, long end);
        struct gpu_check_calls* checks;  // check mode: to be filled in; alone on its page
        const struct gpu_host_calls** calls;                // to be filled in, if not null; the scheduler may be null
        char* (*shared_pad)();           // fiber: zeros after the calling thread's shared variables, gpu_pad_bytes
    };
)
