// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "jit/compile_error.hpp"
#include "jit/includes.hpp"
#include "support/temporary_folder.hpp"

using namespace gpu::detail;

namespace {

struct Files : support::TemporaryFolder {
    [[nodiscard]] std::string expand(const std::string& text, const std::vector<std::string>& options = {}) const {
        return with_includes({.text = text, .file = "add.cu", .line = 5}, path().string(), options).text;
    }
};

}  // namespace

TEST_CASE("an included file stands in its line's place, and lines keep their numbers") {
    const Files files;
    files.write("twice.cuh", "int twice(int v) {\n    return 2 * v; }");
    CHECK(files.expand("// first\n#include \"twice.cuh\"  // here\nint last;\n") ==
          "// first\n#line 1 \"twice.cuh\"\nint twice(int v) {\n    return 2 * v; }\n#line 7 \"add.cu\"\nint last;\n");
    const SourceText whole = with_includes({"#include \"twice.cuh\"\n", "add.cu", 1}, files.path().string(), {});
    CHECK(whole.plain == "#include \"twice.cuh\"\n");
    CHECK(with_includes({"int x;\n", "add.cu", 1}, files.path().string(), {}).plain.empty());
}

TEST_CASE("files are found beside the one that includes them and where options say, in this order") {
    const Files files;
    files.write("sub/a.cuh", "#include \"b.cuh\"\n");
    files.write("sub/b.cuh", "beside\n");
    files.write("b.cuh", "outer\n");
    files.write("lib/c.cuh", "of the library\n");
    files.write("lib/b.cuh", "not this one\n");
    const std::string lib = files / "lib";
    CHECK(files.expand("#include \"sub/a.cuh\"").find("beside") != std::string::npos);
    CHECK(files.expand("#include \"sub/../b.cuh\"").find("outer") != std::string::npos);
    CHECK(files.expand("#include \"c.cuh\"") == "#include \"c.cuh\"");
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"-I" + lib}, {"-I=" + lib}, {"-I", lib}, {"-DN=3", "--include-path=" + lib}}) {
        CHECK(files.expand("#include \"c.cuh\"", options).find("of the library") != std::string::npos);
        CHECK(files.expand("#include <c.cuh>", options).find("of the library") != std::string::npos);
        CHECK(files.expand("#include \"b.cuh\"", options).find("outer") != std::string::npos);
    }
}

TEST_CASE("what isn't there, is CUDA's own, or stands in a comment stays as it is") {
    const Files files;
    files.write("cuda_fp16.h", "mine\n");
    files.write("b.cuh", "b\n");
    const std::vector<std::string> options{"-I" + files.path().string()};
    for (const char* const text : {"#include <cuda_fp16.h>\n", "#include <b.cuh>\n", "#include \"missing.cuh\"\n",
                                   "// #include \"b.cuh\"\n", "/*\n#include \"b.cuh\"\n*/\n",
                                   "#define include \"b.cuh\"\n", "const char* s = \"#include\";\n", "#include B\n"})
        CHECK(files.expand(text) == text);
    CHECK(files.expand("#include <cuda_fp16.h>\n", options) == "#include <cuda_fp16.h>\n");
}

TEST_CASE("files that are included once, or that include each other") {
    const Files files;
    files.write("once.cuh", "#pragma once\nint one;\n");
    const std::string once = files.expand("#include \"once.cuh\"\n#include \"once.cuh\"\n");
    CHECK(once.find("#pragma") == std::string::npos);
    const auto guard = once.find("#ifndef GPU_INCLUDED_");
    REQUIRE(guard == 0);
    const std::string name = once.substr(8, once.find('\n') - 8);
    CHECK(once.find("#define " + name) != std::string::npos);
    CHECK(once.find("#ifndef " + name, 1) != std::string::npos);  // the second time too: the first may not be in force
    files.write("a.cuh", "#ifndef A\n#define A\n#include \"b.cuh\"\n#endif\n");
    files.write("b.cuh", "#include \"a.cuh\"\nint b;\n");
    CHECK(files.expand("#include \"a.cuh\"\n").find("int b;") != std::string::npos);
    files.write("large.cuh", std::string(3 << 20, ' '));
    CHECK_THROWS_AS((void)files.expand("#include \"large.cuh\"\n#include \"large.cuh\"\n"), gpu::Error);
}

TEST_CASE("an error in an included file is shown there") {
    const Files files;
    files.write("twice.cuh", "__device__ int twice(int v) {\n    return 2 * w;\n}\n");
    const SourceText whole =
        with_includes({"#include \"twice.cuh\"\n__global__ void add() {}\n", "add.cu", 1}, files.path().string(), {});
    const KernelSource source{.name = "add", .text = "#line 1 \"add.cu\"\n" + whole.text, .entries = {}, .options = {}};
    CHECK(explain_compile_failure(source, {"twice.cuh:2:16: error: 'w' was not declared in this scope\n"})
              .find("kernel add does not compile\ntwice.cuh:2:16: error: w is not declared\n"
                    " 1 | __device__ int twice(int v) {\n 2 |     return 2 * w;\n   |                ^\n 3 | }") == 0);
}
