// SPDX-License-Identifier: MIT
// Asynchronous copies in check mode: what is used before the copy is there, and what is overwritten while it is under
// way. The gallery has more of them.
#include "check/support.hpp"

using namespace support;

namespace {

// What stands before a body, nine lines. NVRTC, which compiles these as well, takes seconds for groups and pipelines:
// they are there where they are named.
std::string before(const std::string& body) {
    const bool has_groups = contains(body, "cg::") || contains(body, "block.sync") || contains(body, "(block,");
    return std::string(has_groups ? "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
                                    "namespace cg = cooperative_groups;\n"
                                  : "\n\n\n") +
           "#include <cuda_pipeline.h>\n" + (contains(body, "cuda::") ? "#include <cuda/pipeline>\n" : "\n") +
           "__global__ void k(int* x, int* y) {\n    __shared__ alignas(16) int s[64];\n" +
           (has_groups ? "    cg::thread_block block = cg::this_thread_block();\n" : "\n") +
           "    int t = threadIdx.x, i = blockIdx.x * 64 + t;\n";
}

/// What is told of a kernel of that body, which begins in line 10. In other orders of threads its kind is the same.
std::string found(const std::string& body, int blocks = 1) {
    const gpu::RawKernel<void(int*, int*)> kernel(cu(before(body) + body + "}\n"), "k");
    std::string first;
    for (const char* const schedule : {"fixed", "random:1", "random:2"}) {
        auto x = gpu::ones<int>({64 * blocks}), y = gpu::zeros<int>({64 * blocks});
        const auto run = [&] { kernel({.grid = static_cast<unsigned>(blocks), .block = 64}, x, y); };
        const std::string one = told(gpu::check(run, {.schedule = schedule}));
        if (*schedule == 'f') first = one;
        CHECK(one.substr(0, one.find(':')).substr(0, one.find('[')) ==
              first.substr(0, first.find(':')).substr(0, first.find('[')));
    }
    return first;
}

const std::string copy = "    __pipeline_memcpy_async(s + t, x + i, 4);\n    __pipeline_commit();\n";

}  // namespace

TEST_CASE("a copy's own thread reads before it has waited") {
    CHECK(found("    s[t] = 0;\n" + copy + "    y[i] = s[t];\n    __pipeline_wait_prior(0);\n") ==
          "race on s[0]: test.cu:13 reads what test.cu:11 writes, and that copy is still under way\n"
          "block (0,0,0): thread (0,0,0) reads, thread (0,0,0) writes\n"
          "an asynchronous copy is there when its own thread has waited for it (cg::wait(), __pipeline_wait_prior(), "
          "consumer_wait()), for other threads behind a barrier after that\n");
    CHECK(found(copy + "    __pipeline_wait_prior(0);\n    y[i] = s[t];\n").empty());
}

TEST_CASE("a wait that covers nothing: without a commit, or for all but the last") {
    const std::string race = "reads what test.cu:10 writes, and that copy is still under way";
    CHECK(contains(found("    __pipeline_memcpy_async(s + t, x + i, 4);\n    __pipeline_wait_prior(0);\n"
                         "    y[i] = s[t];\n"),
                   "race on s[0]: test.cu:12 " + race));
    CHECK(contains(found(copy + "    __pipeline_wait_prior(1);\n    y[i] = s[t];\n"),
                   "race on s[0]: test.cu:13 " + race));
    CHECK(contains(found("    cg::memcpy_async(block, s, x, 256);\n    block.sync();\n    y[i] = s[t];\n"),
                   "test.cu:12 " + race));
    CHECK(contains(found("    cg::memcpy_async(block, s, x, 256);\n    cg::wait_prior<1>(block);\n    y[i] = s[t];\n"),
                   "test.cu:12 " + race));
}

TEST_CASE("another thread's copy needs a barrier behind the wait, an ordinary race") {
    const std::string race = found(copy + "    __pipeline_wait_prior(0);\n    y[i] = s[63 - t];\n");
    CHECK(contains(race, "test.cu:10 writes what test.cu:13 reads, with no barrier between"));
    CHECK(found(copy + "    __pipeline_wait_prior(0);\n    __syncthreads();\n    y[i] = s[63 - t];\n").empty());
}

TEST_CASE("a copy's source must stay as it is, whoever writes it") {
    const std::string waits = "    __pipeline_wait_prior(0);\n    y[i] = s[t];\n";
    const std::string own = found(copy + "    x[i] = 2;\n" + waits);
    CHECK(contains(own, "race on x[0]: test.cu:12 writes what test.cu:10 reads, and that copy is still under way"));
    CHECK(contains(own, "wait for it before its source is written"));
    CHECK(contains(found(copy + "    __syncthreads();\n    x[63 - t] = 2;\n" + waits),
                   "writes what test.cu:10 reads, and that copy is still under way"));
    CHECK(found(copy + "    __pipeline_wait_prior(0);\n    __syncthreads();\n    x[63 - t] = 2;\n"
                       "    y[i] = s[t];\n").empty());
}

TEST_CASE("a copy must not begin while others read what it writes, nor be written over") {
    CHECK(contains(found("    s[t] = t;\n    __syncthreads();\n    y[i] = s[63 - t];\n" + copy +
                         "    __pipeline_wait_prior(0);\n"),
                   "with no barrier between"));
    CHECK(contains(found(copy + "    s[t] = 7;\n    __pipeline_wait_prior(0);\n"),
                   "test.cu:12 writes what test.cu:10 writes, and that copy is still under way"));
    CHECK(found("    s[t] = t;\n    __syncthreads();\n    y[i] = s[63 - t];\n    __syncthreads();\n" + copy +
                "    __pipeline_wait_prior(0);\n").empty());
}

TEST_CASE("a copy is told by its own line: out of bounds, not aligned, of what nobody has written") {
    CHECK(contains(found("    __pipeline_memcpy_async(s + t + 1, x + i, 4);\n    __pipeline_commit();\n"),
                   "out of bounds: test.cu:10 writes s[64]"));
    CHECK(contains(found("    __pipeline_memcpy_async(s + t, x + i + 1, 4);\n    __pipeline_commit();\n"),
                   "out of bounds: test.cu:10 reads x[64]"));
    CHECK(contains(found("    if (t == 0) __pipeline_memcpy_async(s, x + 1, 16);\n    __pipeline_commit();\n"),
                   "misaligned: test.cu:10 accesses 16 bytes at byte 4 of x"));
    CHECK(contains(found("    if (t == 1)\n        cg::memcpy_async(cg::coalesced_threads(), s + 1, x, "
                         "cuda::aligned_size_t<16>(32));\n"),
                   "misaligned: test.cu:11 accesses 16 bytes at byte 4 of s"));
    const std::string of_nothing = found("    __shared__ int u[64];\n    auto pipe = cuda::make_pipeline();\n"
                                         "    cuda::memcpy_async(s + t, u + t, 4, pipe);\n    pipe.producer_commit();\n"
                                         "    pipe.consumer_wait();\n");
    CHECK(contains(of_nothing, "test.cu:12 reads u[0]"));
}

TEST_CASE("a size that isn't one of a primitive's ends the kernel") {
    CHECK(contains(found("    __pipeline_memcpy_async(s, x, t + 4);\n"),
                   "__pipeline_memcpy_async() copies 4, 8 or 16 bytes"));
    CHECK(contains(found("    cg::memcpy_async(block, s, x, cuda::aligned_size_t<16>(40));\n"),
                   "a multiple of N bytes"));
}

TEST_CASE("a pipeline's batch is read without a wait, by consumers that are no producers, too") {
    const std::string state = "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n";
    const std::string batch = "    pipe.producer_acquire();\n    cuda::memcpy_async(s + t, x + i, 4, pipe);\n"
                              "    pipe.producer_commit();\n";
    CHECK(contains(found(state + "    auto pipe = cuda::make_pipeline(block, &state);\n" + batch +
                         "    block.sync();\n    y[i] = s[63 - t];\n"),
                   "test.cu:16 reads what test.cu:13 writes, and that copy is still under way"));
    CHECK(found(state + "    auto pipe = cuda::make_pipeline(block, &state);\n" + batch +
                "    pipe.consumer_wait();\n    y[i] = s[63 - t];\n    pipe.consumer_release();\n").empty());
    const std::string roles = state + "    auto pipe = cuda::make_pipeline(block, &state, 32);\n"
                                      "    if (t < 32) {\n" + batch + "    } else {\n        ";
    CHECK(contains(found(roles + "y[i] = s[t - 32];\n    }\n"), "race on s["));
    CHECK(found(roles + "pipe.consumer_wait();\n        y[i] = s[63 - t];\n        pipe.consumer_release();\n"
                        "    }\n").empty());
}

TEST_CASE("a barrier that nobody has made, one with too many, and one that not all come to") {
    const std::string b = "    __shared__ cuda::barrier<cuda::thread_scope_block> b;\n";
    CHECK(contains(found(b + "    b.arrive_and_wait();\n"),
                   "uninitialised: test.cu:11 reads b, which nothing has"));
    CHECK(contains(found(b + "    if (t == 0) init(&b, 64);\n    __syncthreads();\n"
                             "    if (t == 9) (void)b.arrive(65);\n"),
                   "more threads arrive at a cuda::barrier than it was made for"));
    CHECK(contains(found(b + "    if (t == 0) init(&b, 65);\n    __syncthreads();\n    b.arrive_and_wait();\n"),
                   "deadlock: test.cu:13 reads b again and again"));
    CHECK(contains(found(b + "    if (t == 0) init(&b, 64);\n    b.arrive_and_wait();\n"),
                   "race on b: test.cu:12 reads what test.cu:11 writes, with no barrier between"));
    CHECK(found(b + "    if (t == 0) init(&b, 64);\n    __syncthreads();\n    b.arrive_and_wait();\n").empty());
}

TEST_CASE("a barrier's phase puts in order what came before the arrival, not what comes between it and the wait") {
    const std::string head = "    __shared__ cuda::barrier<cuda::thread_scope_block> b;\n"
                             "    if (t == 0) init(&b, 64);\n    __syncthreads();\n";
    CHECK(contains(found(head + "    auto token = b.arrive();\n    s[t] = t;\n"
                                "    b.wait(static_cast<decltype(token)&&>(token));\n    y[i] = s[63 - t];\n"),
                   "race on s["));
    CHECK(found(head + "    s[t] = t;\n    auto token = b.arrive();\n"
                       "    b.wait(static_cast<decltype(token)&&>(token));\n    y[i] = s[63 - t];\n").empty());
    // Those that only arrive know nothing of the others.
    CHECK(contains(found(head + "    s[t] = t;\n    (void)b.arrive();\n    y[i] = s[63 - t];\n"), "race on s["));
}

TEST_CASE("a copy that a block doesn't wait for happens in no other block, and none of its marks is left") {
    const std::string body = "    if (blockIdx.x % 2 == 0) {\n" + copy +
                             "    } else {\n        s[t] = 5;\n        __pipeline_commit();\n"
                             "        __pipeline_wait_prior(0);\n        y[i] = s[t];\n    }\n";
    CHECK(found(body, 6).empty());
    const gpu::RawKernel<void(int*, int*)> kernel(cu(before(body) + body + "}\n"), "k");
    auto x = gpu::ones<int>({384}), y = gpu::zeros<int>({384});
    kernel({.grid = 6, .block = 64}, x, y);
    CHECK(gpu::sum(y).item() == 3 * 64 * 5);
}

TEST_CASE("without check mode, too, a copy is there no earlier than it is waited for") {
    const gpu::RawKernel<void(int*, int*)> kernel(
        cu(before("") + "    s[t] = 3;\n" + copy +
           "    __syncthreads();\n    int early = s[63 - t];\n    __syncthreads();\n"
           "    __pipeline_wait_prior(0);\n    __syncthreads();\n    y[i] = 10 * early + s[63 - t];\n}\n"), "k");
    auto x = gpu::ones<int>({64}), y = gpu::zeros<int>({64});
    kernel({.grid = 1, .block = 64}, x, y);
    CHECK(gpu::sum(y).item() == 64 * 31);
}
