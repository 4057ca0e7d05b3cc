// SPDX-License-Identifier: MIT
// What kernels do with memory of malloc() and new.
#include "check/support.hpp"

using namespace support;

namespace {

/// Runs k(int*), with its body from line 2 on, once in check mode.
gpu::CheckReport checked(const std::string& body, unsigned threads = 1) {
    const gpu::RawKernel<void(int*)> kernel(cu("__global__ void k(int* x) {\n" + body + "\n}"), "k");
    return gpu::check([&] {
        auto x = gpu::zeros<int>({64});
        kernel({.grid = 1, .block = threads}, x);
        gpu::synchronize();
    });
}

gpu::Finding found(const std::string& body, unsigned threads = 1) {
    const gpu::CheckReport report = checked(body, threads);
    CAPTURE(report.to_text());
    REQUIRE(report.findings.size() == 1);
    return report.findings[0];
}

}  // namespace

TEST_CASE("memory of malloc() and new has bounds, and begins without values") {
    CHECK(checked("int* p = (int*)malloc(40); p[9] = 1; x[0] = p[9]; free(p);\n"
                  "float4* q = new float4[2]; q[1] = make_float4(1, 2, 3, 4); x[1] = (int)q[1].w; delete[] q;")
              .clean());
    const gpu::Finding beyond = found("int* p = (int*)malloc(40);\np[10] = 1;\nfree(p);");
    CHECK(beyond.kind == gpu::FindingKind::out_of_bounds);
    CHECK(beyond.line == 3);
    CHECK(contains(beyond.what, "writes malloc(40)[10], just past the end of malloc(40) (10 elements of 4 bytes)"));
    const gpu::Finding wide = found("char* p = new char[6];\n((int*)p)[1] = 1;\ndelete[] p;");
    CHECK(wide.kind == gpu::FindingKind::out_of_bounds);
    const gpu::Finding unwritten = found("int* p = new int[4];\np[0] = 1; x[0] = p[1];\ndelete[] p;");
    CHECK(unwritten.kind == gpu::FindingKind::uninitialized_read);
    CHECK(contains(unwritten.what, "reads malloc(16)[1], which nothing has written"));
    CHECK(contains(unwritten.advice, "malloc() and new give memory of anything"));
}

TEST_CASE("freed memory isn't used, and isn't freed again") {
    const gpu::Finding used = found("int* p = new int[4];\np[1] = 1;\ndelete[] p;\nx[0] = p[1];");
    CHECK(used.kind == gpu::FindingKind::out_of_bounds);
    CHECK(used.line == 5);
    CHECK(contains(used.what, "reads memory of malloc() or new (16 bytes) that has been freed"));
    // Another piece doesn't take its place, or the mistake would go unseen.
    const gpu::Finding again = found(
        "int* p = new int[4];\np[1] = 1;\ndelete[] p;\nint* q = new int[4]; q[1] = 2;\nx[0] = p[1];\ndelete[] q;");
    CHECK(again.line == 6);
    for (const char* const body :
         {"int* p = new int;\ndelete p;\ndelete p;", "int* p = (int*)malloc(8);\n\nfree(p + 1);",
          "int s[4]; s[0] = 1;\n\nfree(s);", "\n\nfree(x);"}) {
        const gpu::Finding twice = found(body);
        CHECK(twice.kind == gpu::FindingKind::failed_assertion);
        if (!contains(body, "delete")) CHECK(twice.line == 4);
        CHECK(contains(twice.what, "what is freed there wasn't given by malloc() or new"));
    }
}

TEST_CASE("threads race on memory of malloc(), and are ordered by barriers") {
    const std::string shared = "__shared__ int* p;\nif (threadIdx.x == 0) p = new int[64];\n__syncthreads();\n";
    const std::string end = "\n__syncthreads();\nif (threadIdx.x == 0) delete[] p;";
    const std::string writes = "p[threadIdx.x] = 1;\n", reads = "x[threadIdx.x] = p[63 - threadIdx.x];";
    CHECK(checked(shared + writes + "__syncthreads();" + reads + end, 64).clean());
    const gpu::Finding race = found(shared + writes + reads + end, 64);
    CHECK(race.kind == gpu::FindingKind::missing_barrier);
    CHECK(contains(race.what, "malloc(256)["));
}

TEST_CASE("what is never freed is a leak, at its line") {
    const gpu::Finding leak = found("\nint* p = (int*)malloc(12);\np[0] = 1; x[threadIdx.x] = p[0];", 32);
    CHECK(leak.kind == gpu::FindingKind::memory_leak);
    CHECK(leak.line == 3);
    CHECK(leak.times == 32);
    CHECK(contains(leak.what, "384 bytes in all"));
    // A kernel that was left at a mistake couldn't free.
    CHECK(found("int* p = new int[4];\np[4] = 1;\ndelete[] p;").kind == gpu::FindingKind::out_of_bounds);
}
