// SPDX-License-Identifier: MIT
// <cuda/barrier> and <cuda/pipeline>: barriers and pipelines of a block or a thread.
// A barrier is one word that threads change by atomics, so that check mode sees uses before init() and waits for
// nobody; gpu_tell_phase() reports which accesses it orders. A waiting thread lets the others run. The first thread
// that has waited for a phase performs its copies: the latest moment at which nobody can read them too early.

#pragma GCC system_header
#pragma once
#include "libgpu/cuda_atomic.hpp"
#include "libgpu/copies.hpp"
namespace cuda {
enum class async_contract_fulfillment { none, async };
struct gpu_no_completion {};
constexpr unsigned gpu_phases = 1u << 24;
// Phase (24 bits) | expected threads (20) | threads yet to arrive (20)
struct gpu_barrier_word {
    unsigned long long gpu_word;
    GPU_INLINE void gpu_begin(long threads, int line, const char* file) {
        if (threads < 0 || threads > 0xfffff)
            gpu_fail("a cuda::barrier is for 0 to 1048575 threads", file, line, threadIdx);
        gpu_word = (unsigned long long)threads << 20 | (unsigned long long)threads;
    }
    GPU_INLINE unsigned long long gpu_load() const { return __atomic_load_n(&gpu_word, __ATOMIC_RELAXED); }
    GPU_INLINE unsigned gpu_phase() const { return (unsigned)(gpu_load() >> 40); }
    // `leaving`: how many won't arrive in later phases.
    GPU_INLINE unsigned gpu_arrive(unsigned long long count, unsigned long long leaving, int line, const char* file) {
        unsigned long long old = gpu_load(), next = 0;
        gpu_tell(old >> 40, false);
        do {
            if ((old & 0xfffff) < count)
                gpu_fail("more threads arrive at a cuda::barrier than it was made for", file, line, threadIdx);
            next = old - count - (leaving << 20);
            if ((next & 0xfffff) == 0) next = (next + (1ull << 40)) | (next >> 20 & 0xfffff);
        } while (!__atomic_compare_exchange_n(&gpu_word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        return (unsigned)(old >> 40);
    }
    // Other waiting threads come after the copies, too, and one overtaken by another's copies checks again.
    GPU_INLINE void gpu_wait(unsigned phase) {
        while (gpu_phase() == phase) gpu_yield();
        gpu_tell(phase, true);
        gpu_tell(phase, !gpu_finish_copies(&gpu_word, phase));
    }
    // Informs check mode; and compilers, that memory may belong to another thread now.
    GPU_INLINE void gpu_tell(unsigned long long phase, bool waited) {
#ifdef GPU_CHECKED
        gpu_tell_phase(&gpu_word, (unsigned)phase, waited);
#else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
    }
};

template <thread_scope Scope, class Completion = gpu_no_completion> class barrier {
    static_assert(Scope == thread_scope_block || Scope == thread_scope_thread,
                  "the host backend has barriers of a block; a grid waits by cooperative_groups::this_grid().sync()");
    static_assert(__is_same(Completion, gpu_no_completion),
                  "a barrier can't call a function on the host backend; let one thread do it behind the wait");
public:
    typedef unsigned long long arrival_token;
    barrier() = default;
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;
    GPU_INLINE barrier(ptrdiff_t threads, Completion = Completion(), GPU_LINE, GPU_FILE) {
        gpu_at.gpu_begin(threads, line, file);
    }
    GPU_INLINE friend void init(barrier* one, ptrdiff_t threads, Completion = Completion(), GPU_LINE, GPU_FILE) {
        one->gpu_at.gpu_begin(threads, line, file);
    }
    __attribute__((warn_unused_result)) GPU_INLINE arrival_token arrive(ptrdiff_t count = 1, GPU_LINE, GPU_FILE) {
        return gpu_at.gpu_arrive((unsigned long long)count, 0, line, file);
    }
    GPU_INLINE void wait(arrival_token&& token) const { gpu_at.gpu_wait((unsigned)token); }
    // Waits until a phase of this parity has ended: the current one has the other parity.
    GPU_INLINE void wait_parity(bool parity) const {
        const unsigned phase = gpu_at.gpu_phase();
        gpu_at.gpu_wait((phase & 1) == parity ? phase : (phase - 1) % gpu_phases);
    }
    GPU_INLINE void arrive_and_wait(GPU_LINE, GPU_FILE) { gpu_at.gpu_wait(gpu_at.gpu_arrive(1, 0, line, file)); }
    GPU_INLINE void arrive_and_drop(GPU_LINE, GPU_FILE) { gpu_at.gpu_arrive(1, 1, line, file); }
    template <class D> __attribute__((unavailable("the host backend has no cuda::std::chrono; use wait()")))
    bool try_wait_for(arrival_token&&, const D&) const;
    static constexpr ptrdiff_t max() noexcept { return 0xfffff; }

    mutable gpu_barrier_word gpu_at;
};

#define GPU_NO_BULK(name) \
    template <class... A> __attribute__((unavailable("bulk copies (TMA) can't run on the host backend; use " \
                                                     "cuda::memcpy_async(..., barrier)"))) void name(A&&...);
namespace device {
GPU_NO_BULK(memcpy_async_tx) GPU_NO_BULK(barrier_arrive_tx) GPU_NO_BULK(barrier_expect_tx)
GPU_NO_BULK(barrier_native_handle)
}
#undef GPU_NO_BULK

enum class pipeline_role { producer, consumer };
template <thread_scope Scope> struct gpu_stage { barrier<Scope> produced, consumed; };
template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {
    static_assert(Scope == thread_scope_block, "the host backend has pipelines of a block or of a thread");
public:
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state&) = delete;
    pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

    gpu_stage<Scope> gpu_stages[Stages];
    unsigned gpu_threads;  // that have not left
};

template <thread_scope Scope> class pipeline {
public:
    GPU_INLINE pipeline(gpu_stage<Scope>* stages, unsigned count, unsigned* threads)
        : stages_(stages), count_(count), threads_(threads) {}
    GPU_INLINE pipeline(pipeline&& other)
        : stages_(other.stages_), count_(other.count_), head_(other.head_), tail_(other.tail_),
          threads_(other.threads_) {
        other.threads_ = nullptr;
    }
    pipeline& operator=(pipeline&&) = delete;
    GPU_INLINE ~pipeline() {
        if (threads_ != nullptr) quit();
    }
    // True for the last thread.
    GPU_INLINE bool quit() {
        gpu_count_atomic();
        const bool last = __atomic_fetch_sub(threads_, 1u, __ATOMIC_RELAXED) == 1;
        threads_ = nullptr;
        return last;
    }
    GPU_INLINE void producer_acquire() {
        if (head_ >= count_) stage(head_).consumed.gpu_at.gpu_wait(phase(head_ - count_));
    }
    GPU_INLINE void producer_commit(GPU_LINE, GPU_FILE) {
        stage(head_).produced.gpu_at.gpu_arrive(1, 0, line, file);
        ++head_;
    }
    GPU_INLINE void consumer_wait() { stage(tail_).produced.gpu_at.gpu_wait(phase(tail_)); }
    GPU_INLINE void consumer_release(GPU_LINE, GPU_FILE) {
        stage(tail_).consumed.gpu_at.gpu_arrive(1, 0, line, file);
        ++tail_;
    }
    GPU_INLINE const void* gpu_barrier_of_copies() { return &stage(head_).produced.gpu_at.gpu_word; }
    GPU_INLINE unsigned gpu_phase_of_copies() const { return phase(head_); }

private:
    GPU_INLINE gpu_stage<Scope>& stage(unsigned batch) const { return stages_[batch % count_]; }
    GPU_INLINE unsigned phase(unsigned batch) const { return batch / count_ % gpu_phases; }
    gpu_stage<Scope>* stages_;
    unsigned count_, head_ = 0, tail_ = 0;  // batches committed and consumed
    unsigned* threads_;                     // null: the thread has left
};
// The thread's own copies, including those in groups that __pipeline_commit() ends.
template <> class pipeline<thread_scope_thread> {
public:
    GPU_INLINE pipeline() {}
    GPU_INLINE pipeline(pipeline&& other) : head_(other.head_), tail_(other.tail_) {}
    pipeline& operator=(pipeline&&) = delete;
    GPU_INLINE bool quit() { return true; }
    GPU_INLINE void producer_acquire() {}
    GPU_INLINE void producer_commit() {
        gpu_end_copy_group();
        ++head_;
    }
    GPU_INLINE void consumer_wait() {
        if (head_ == tail_) return;
        gpu_wait_for_groups((unsigned char)(head_ - tail_ - 1));
        ++tail_;
    }
    GPU_INLINE void consumer_release() {}
    GPU_INLINE void gpu_wait_prior(unsigned char prior) {
        gpu_wait_for_groups(prior);
        tail_ = (unsigned char)(head_ - prior);
    }
    GPU_INLINE const void* gpu_barrier_of_copies() const { return nullptr; }
    GPU_INLINE unsigned gpu_phase_of_copies() const { return 0; }

private:
    unsigned char head_ = 0, tail_ = 0;
};
GPU_INLINE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <unsigned char Prior> GPU_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe) {
    pipe.gpu_wait_prior(Prior);
}
template <class B> __attribute__((unavailable("a thread's pipeline can't end on a barrier on the host backend; use "
                                              "cuda::memcpy_async(..., barrier)")))
void pipeline_producer_commit(pipeline<thread_scope_thread>& pipe, B& barrier);

struct gpu_called { int line; const char* file; };
#define GPU_CALLED_AT gpu_called call = gpu_called{__builtin_LINE(), __builtin_FILE()}
template <class G, thread_scope Scope, unsigned char Stages>
GPU_INLINE pipeline<Scope> gpu_pipeline_of(const G& group, pipeline_shared_state<Scope, Stages>* state,
                                           unsigned producers, unsigned consumers, gpu_called call) {
    if (group.thread_rank() == 0) {
        for (unsigned k = 0; k < Stages; ++k) {
            state->gpu_stages[k].produced.gpu_at.gpu_begin(producers, call.line, call.file);
            state->gpu_stages[k].consumed.gpu_at.gpu_begin(consumers, call.line, call.file);
        }
        state->gpu_threads = (unsigned)group.size();
    }
    group.sync(call.line);
    return pipeline<Scope>(state->gpu_stages, Stages, &state->gpu_threads);
}
template <class G, thread_scope Scope, unsigned char Stages>
GPU_INLINE pipeline<Scope> make_pipeline(const G& group, pipeline_shared_state<Scope, Stages>* state, GPU_CALLED_AT) {
    return gpu_pipeline_of(group, state, (unsigned)group.size(), (unsigned)group.size(), call);
}
template <class G, thread_scope Scope, unsigned char Stages>
GPU_INLINE pipeline<Scope> make_pipeline(const G& group, pipeline_shared_state<Scope, Stages>* state,
                                         size_t producers, GPU_CALLED_AT) {
    return gpu_pipeline_of(group, state, (unsigned)producers, (unsigned)(group.size() - producers), call);
}
template <class G, thread_scope Scope, unsigned char Stages>
GPU_INLINE pipeline<Scope> make_pipeline(const G& group, pipeline_shared_state<Scope, Stages>* state,
                                         pipeline_role role, GPU_CALLED_AT) {
    if (group.thread_rank() == 0) state->gpu_threads = 0;
    group.sync(call.line);
    if (role == pipeline_role::producer) {
        gpu_count_atomic();
        __atomic_fetch_add(&state->gpu_threads, 1u, __ATOMIC_RELAXED);
    }
    group.sync(call.line);
    const unsigned producers = state->gpu_threads;
    group.sync(call.line);
    return gpu_pipeline_of(group, state, producers, (unsigned)group.size() - producers, call);
}

template <class T, class S>
GPU_INLINE async_contract_fulfillment gpu_copy_for(unsigned long rank, unsigned long size, void* to, const void* from,
                                                   S bytes, const void* barrier, unsigned phase, gpu_called call) {
    gpu_check_size<S>((size_t)bytes, call.line, call.file);
    gpu_copy_share(rank, size, to, from, (size_t)bytes, gpu_alignment<T, S>(), barrier, phase, call.line);
    return async_contract_fulfillment::async;
}
// With a pipeline or a barrier after the size, and optionally a group in front. Both sides point to the same type, or
// to arbitrary bytes.
#define GPU_MEMCPY_ASYNC(parameters, Target, place, phase, takes) \
    template <class G, class T, class S, parameters> \
    GPU_INLINE async_contract_fulfillment memcpy_async(const G& group, T* to, const T* from, S bytes, Target& target, \
                                                       GPU_CALLED_AT) { \
        static_assert(takes, "memcpy_async() copies types that are copied as bytes"); \
        return gpu_copy_for<T>(group.thread_rank(), group.size(), (void*)to, (const void*)from, bytes, place, phase, \
                               call); \
    } \
    template <class G, class S, parameters> \
    GPU_INLINE async_contract_fulfillment memcpy_async(const G& group, void* to, const void* from, S bytes, \
                                                       Target& target, GPU_CALLED_AT) { \
        return gpu_copy_for<void>(group.thread_rank(), group.size(), to, from, bytes, place, phase, call); \
    } \
    template <class T, class S, parameters> \
    GPU_INLINE async_contract_fulfillment memcpy_async(T* to, const T* from, S bytes, Target& target, GPU_CALLED_AT) { \
        static_assert(takes, "memcpy_async() copies types that are copied as bytes"); \
        return gpu_copy_for<T>(0, 1, (void*)to, (const void*)from, bytes, place, phase, call); \
    } \
    template <class S, parameters> \
    GPU_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, S bytes, Target& target, \
                                                       GPU_CALLED_AT) { \
        return gpu_copy_for<void>(0, 1, to, from, bytes, place, phase, call); \
    }
GPU_MEMCPY_ASYNC(thread_scope Scope, pipeline<Scope>, target.gpu_barrier_of_copies(), target.gpu_phase_of_copies(),
                 true)
GPU_MEMCPY_ASYNC(thread_scope Scope, barrier<Scope>, &target.gpu_at.gpu_word, target.gpu_at.gpu_phase(),
                 __is_same(T, void) || __is_trivially_copyable(T))
#undef GPU_MEMCPY_ASYNC
#undef GPU_CALLED_AT
}  // namespace cuda
