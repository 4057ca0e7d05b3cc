// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "build/diagnostics.hpp"
#include "support/golden.hpp"

using namespace course;

namespace {

PathNames names() {
    PathNames names;
    names.add_answer("/tmp/s/student/a.cpp", "work/09-x/a.cpp", "one\n\tint i = k;\nthree(2.5);\n");
    names.add("/tmp/s/student/", "");
    names.add("/kit/", "");
    return names;
}

}  // namespace

TEST_CASE("real paths become shown ones, the longest first") {
    CHECK(names().apply("/tmp/s/student/a.cpp and /tmp/s/student/b.cu and /kit/libgpu/x") ==
          "work/09-x/a.cpp and b.cu and libgpu/x");
}

TEST_CASE("a kernel's compile error gets the student's folder where it names a bare file") {
    CHECK(names().apply_to_kernel_error("kernel k does not compile\na.cpp:4:3: error: x\n  4 | a.cpp:\nb.cu:1: y") ==
          "kernel k does not compile\nwork/09-x/a.cpp:4:3: error: x\n  4 | a.cpp:\nb.cu:1: y");
}

TEST_CASE("a kernel that no source has is blamed on the line of C++ that names it") {
    PathNames of_kernel;
    of_kernel.add_answer("/tmp/s/a.cpp", "work/09-x/a.cpp", "// one\nkernel(gpu::file(\"b.cu\"), \"adf\");\n");
    CHECK(of_kernel.apply_to_kernel_error("kernel adf does not compile\nno kernel named adf; the source defines: add\n"
                                          "help: did you mean add?") ==
          "kernel adf does not compile\nwork/09-x/a.cpp:2:27: error: no kernel named adf; the source defines: add\n"
          "  2 | kernel(gpu::file(\"b.cu\"), \"adf\");\n    |                           ^\nhelp: did you mean add?");
    const std::string elsewhere = "no kernel named abc; the source defines: add";
    CHECK(of_kernel.apply_to_kernel_error(elsewhere) == elsewhere);
}

TEST_CASE("g++'s first error is found behind its introduction, and its template arguments are left out") {
    test::check_messages(
        "build", {first_error("/tmp/s/student/a.cpp: In function 'int f()':\n"
                              "/tmp/s/student/a.cpp:2:10: error: no match for 'operator+' [with T = std::vector<int>]\n"
                              "    2 |         int i = k;\n"
                              "/tmp/s/student/a.cpp:3:1: error: another\n",
                              names())});
}

TEST_CASE("what stands behind template arguments stays: it is the half that says why") {
    test::check_messages(
        "build",
        {first_error(
            "/tmp/s/student/a.cpp:2:10: error: could not convert 'gpu::operator+(const A&, const B&) [with A = "
            "Array<float>; B = Array<int[3]>]((* & x))' from 'gpu::Expr<float>' to 'std::vector<float>'\n",
            names())});
    const std::string lengthy = first_error(
        "/tmp/s/student/a.cpp:9:1: error: no way from " + std::string(2000, 'x') + " to the end\n", names());
    CHECK(lengthy.size() < 600);
    CHECK(lengthy.ends_with("xxx to the end"));
}

TEST_CASE("a static assertion is its sentence; g++'s notes that say why are kept: of candidates of the kit, of names") {
    const std::string place = "/tmp/s/student/a.cpp:3:1: ", header = "/kit/libgpu/include/gpu/x.hpp:7:5: ";
    test::check_messages(
        "build",
        {first_error(place + "  required from here\n" + header +
                         "error: static assertion failed: the kernel takes another number of arguments\n" + header +
                         "note: the comparison reduces to '(2 == 3)'\n",
                     names()),
         first_error(place + "error: no matching function for call to 'to_host(int)'\n" + header +
                         "note: candidate: 'auto gpu::to_host(const A&)'\n" + header +
                         "note:   template argument deduction/substitution failed:\n" + place +
                         "note:   candidate expects 1 argument, 2 provided\n"
                         "/usr/include/c++/12/x.h:1:1: note: candidate: 'void std::to_host(int)'\n" +
                         place + "note:   candidate expects 1 argument, 2 provided\n" + header +
                         "note: candidate: 'gpu::K::K(const gpu::K&)'\n" + header +
                         "note:   candidate expects 1 argument, 2 provided\n" + place + "error: another\n" + header +
                         "note: the comparison reduces to '(1 == 2)'\n",
                     names()),
         first_error(place + "error: 'svdvals' is not a member of 'gpu'\n" + place + "note: suggested alternatives:\n" +
                         header + "note:   'gpu::detail::svdvals'\n" + header + "note:   'gpu::linalg::svdvals'\n",
                     names())});
}

TEST_CASE("clang's notes on candidates say why, too") {
    test::check_messages(
        "build",
        {first_error(
            "/tmp/s/student/a.cpp:3:1: error: no matching function for call to 'three'\n"
            "/kit/libgpu/include/gpu/x.hpp:7:5: note: candidate function not viable: requires 2 arguments, but "
            "1 was provided\n",
            names())});
}

TEST_CASE("std:: functions without <cmath> get an advice in place of a wrong guess") {
    const std::string place = "/tmp/s/student/a.cpp:3:1: error: ";
    CHECK(first_error(place + "'class Mine' has no member named 'item'\n", names()).find("compiler: ") ==
          std::string::npos);
    const std::string note = "/tmp/s/student/a.cpp:3:1: note: ", header = "/kit/libgpu/include/gpu/x.hpp:7:5: note: ";
    test::check_messages(
        "build", {first_error(place + "'sqrt' is not a member of 'std'\n" + note + "suggested alternatives:\n" +
                                  header + "  'gpu::sqrt'\n",
                              names()),
                  first_error(place + "no member named 'sqrt' in namespace 'std'; did you mean 'sbrk'?\n", names())});
    PathNames of_array;
    of_array.add_answer("/tmp/s/student/a.cpp", "work/a.cpp", "float s = std::sqrt(gpu::sum(x * x));\n");
    test::check_messages(
        "build",
        {first_error("/tmp/s/student/a.cpp:1:1: error: 'sqrt' is not a member of 'std'\n", of_array),
         first_error("/tmp/s/student/a.cpp:1:1: error: designator order for field 'gpu::KernelOptions::preamble' does "
                     "not match declaration order in 'gpu::KernelOptions'\n",
                     of_array)});
    CHECK(first_error(place + "'sqroot' is not a member of 'std'\n", names()).find("cmath") == std::string::npos);
}

TEST_CASE("a launch whose braces can't be read gets what may stand in them") {
    const std::string place = "/tmp/s/student/a.cpp:3:1: error: ",
                      call = "no match for call to '(const gpu::RawKernel<";
    test::check_messages(
        "build",
        {first_error(place + call + "void(int*)>) (<brace-enclosed initializer list>, gpu::Array<int>&)'\n", names()),
         first_error(place + call + "void(int*)>) (int, gpu::Array<int>&)'\n", names())});
}

TEST_CASE("a value on the wrong side gets the way over: of vectors, numbers and conditions") {
    const std::string place = "/tmp/s/student/a.cpp:3:1: error: ";
    const std::string to_host = "gpu::to_host(x) copies them to a std::vector", item = ".item() fetches it";
    const std::string computed = "computes its only element and fetches it", compared = "and compare that";
    const std::pair<std::string, std::string> cases[] = {
        // g++
        {"conversion from 'gpu::Expr<float>' to non-scalar type 'const std::vector<float>' requested", to_host},
        {"could not convert 'x' from 'const gpu::Array<float>' to 'std::vector<float>'", to_host},
        {"invalid initialization of reference of type 'const std::vector<float>&' from expression of type "
         "'const gpu::Array<float>'", to_host},
        {"cannot convert 'gpu::Array<float>' to 'float' in return", item},
        {"cannot convert 'gpu::Expr<float>' to 'float' in return", computed},
        {"could not convert 'gpu::operator<(const A&, const B&)(1)' from 'gpu::Expr<bool>' to 'bool'", compared},
        {"conversion from 'const std::vector<float>' to non-scalar type 'gpu::Array<float>' requested",
         "gpu::to_device(h) copies them to a new array"},
        // clang++
        {"no viable conversion from returned value of type 'const gpu::Array<float>' to function return type "
         "'std::vector<float>'", to_host},
        {"no viable conversion from 'Array<float>' to 'float'", item},
        {"value of type 'Array<double>' is not contextually convertible to 'bool'", compared},
    };
    for (const auto& [message, advice] : cases) {
        CAPTURE(message);
        test::check_messages("build", {first_error(place + message + "\n", names())});
    }
    for (const std::string message : {"cannot convert 'Mine' to 'float' in return", "cannot convert 'float' to 'Mine'",
                                      "conversion from 'gpu::Array<float>' to 'gpu::Array<int>' is ambiguous"}) {
        CAPTURE(message);
        CHECK(first_error(place + message + "\n", names()).find("compiler: ") == std::string::npos);
    }
}

TEST_CASE("an array that is made without a type of elements gets an advice in place of a count of arguments") {
    const std::string place = "/tmp/s/student/a.cpp:3:1: ", header = "/kit/libgpu/include/gpu/ranges.hpp:33:24: note: ";
    const std::string expects = header + "candidate: 'template<class T> gpu::Array<T> gpu::arange(double, double)'\n" +
                                place + "note:   candidate expects 2 arguments, 1 provided\n";
    const std::string of_gcc = place + "error: no matching function for call to 'arange(int&)'\n" + expects + header +
                               "candidate: 'template<class T, class S> gpu::Array<T> gpu::arange(S)'\n" + place +
                               "note:   couldn't deduce template parameter 'T'\n";
    test::check_messages("build", {first_error(of_gcc, names())});
    CHECK(first_error(of_gcc, names()).find("expects") == std::string::npos);
    test::check_messages(
        "build", {first_error(place + "error: no matching function for call to 'arange'\n" + header +
                                  "candidate template ignored: couldn't infer template argument 'T'\n",
                              names()),
                  first_error(place + "error: no matching function for call to 'arange<float>()'\n" + expects, names()),
                  first_error(place + "error: no matching function for call to 'arange'\n" + header +
                                  "candidate function template not viable: requires 2 arguments, but 1 was provided\n",
                              names())});
}

TEST_CASE("warnings are shown of the student's own files, and of the wanted kinds") {
    constexpr std::string_view wanted[] = {"return-type", "format"};
    const std::string place = "/tmp/s/student/a.cpp:3:1: warning: ";
    CHECK(warnings(place + "no return statement in function returning non-void [-Wreturn-type]\n" + place +
                       "unused variable 'x' [-Wunused-variable]\n"
                       "/kit/libgpu/include/gpu/x.hpp:7:5: warning: no return [-Wreturn-type]\n" +
                       place + "too few [-Wformat=]\n" + place + "said without a name\n",
                   names(), wanted) ==
          std::vector<std::string>{"work/09-x/a.cpp:3:1: warning: no return statement in function returning non-void\n"
                                   "  3 | three(2.5);\n    | ^",
                                   "work/09-x/a.cpp:3:1: warning: too few\n  3 | three(2.5);\n    | ^"});
}

TEST_CASE("clang's note says where in the student's file an error in a header comes from") {
    test::check_messages(
        "build", {first_error("/kit/libgpu/include/gpu/x.hpp:7:5: error: static assertion failed: write float(x)\n"
                              "    static_assert(...)\n    ^\n"
                              "/tmp/s/student/a.cpp:3:1: note: in instantiation of function template specialization\n"
                              "three(2.5);\n^\n",
                              names())});
}

TEST_CASE("an error in a header that no student's line led to stays where it is") {
    test::check_messages("build", {first_error("/kit/libgpu/include/gpu/x.hpp:7:5: error: broken\n", names())});
}

TEST_CASE("output without an error gives nothing") {
    CHECK(first_error("", names()).empty());
    CHECK(first_error("g++: something strange\n12:error: x\na:b:c\n:::\n", names()).empty());
    CHECK(first_link_error("collect2: error: ld returned 1 exit status\n", names()).empty());
}

TEST_CASE("the linker's complaints are reported in words") {
    CHECK(
        first_link_error("/usr/bin/ld: a.o: in function `f()':\n/usr/bin/ld: a.cpp:(.text+0x5): undefined reference to "
                         "`add(gpu::Array<float> const&)'\n",
                         names())
            .starts_with("the function add(gpu::Array<float> const&) is called, but none of your files defines it."));
    CHECK(first_link_error(
              "x: undefined reference to `f(std::vector<float, std::allocator<float> > const&, std::vector<"
              "std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, std::allocator<int> > "
              "> >)'\n",
              names())
              .starts_with("the function f(std::vector<float> const&, std::vector<std::vector<int>>) is called"));
    CHECK(first_link_error(
              "/usr/bin/ld: b.o: in function `g()':\nb.cpp:(.text+0x0): multiple definition of `g()'; a.o: first "
              "defined here\n",
              names())
              .starts_with("g() is defined more than once."));
}
