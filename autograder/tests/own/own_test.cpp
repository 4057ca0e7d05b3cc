// SPDX-License-Identifier: MIT
// Functions of the student's own: which are taken, what is made of them, and how their ports are judged.
#include <filesystem>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "loop/toy_course.hpp"
#include "own/own_folder.hpp"
#include "own/signature.hpp"

using course::own_function, course::OwnFunction, course::OwnFunctionError;
using test::Ran, test::ToyCourse;
namespace fs = std::filesystem;

namespace {

std::string refusal(const std::string& text) {
    try {
        (void)own_function(text, "f");
    } catch (const OwnFunctionError& error) {
        return error.what();
    }
    return "";
}

bool refuses(const std::string& text, const std::string& why) {
    const std::string said = refusal(text);
    INFO(text);
    INFO(said);
    return said.find(why) != std::string::npos;
}

bool says(const Ran& ran, const std::string& text) {
    INFO(ran.text);
    return ran.text.find(text) != std::string::npos;
}

constexpr const char* halves =
    "#include <Eigen/Dense>\n\nstatic float half(float x) { return x / 2; }\n"
    "Eigen::VectorXf halves(const Eigen::VectorXf& x) { return x.unaryExpr(&half); }\n";

constexpr const char* right_port =
    "#include \"exercise.hpp\"\n\ngpu::Array<float> halves(const gpu::Array<float>& x) { return x * 0.5f; }\n";

}  // namespace

TEST_CASE("a function's types, lengths and ranges are read") {
    const OwnFunction f = own_function(
        "#include <Eigen/Dense>\n"
        "// own: A(m, n)\n"
        "  // own: x(n) from 0.5 to 1e3\n"
        "// own: steps from 2 to 5\n"
        "using namespace Eigen;\n"
        "struct Unused { int f(int x) { return x; } };\n"
        "static float helper(float x) { return x; }\n"
        "inline VectorXd f(MatrixXd const& A, const Eigen::VectorXd & x, const Eigen::ArrayXf y, int steps, double t)\n"
        "{ return A * x; }\n",
        "f");
    CHECK(std::string(f.returns->eigen) == "VectorXd");
    REQUIRE(f.parameters.size() == 5);
    CHECK(f.parameters[0].lengths == std::vector<std::string>{"m", "n"});
    CHECK(f.parameters[1].low == "0.5");
    CHECK(f.parameters[1].high == "1e3");
    CHECK(std::string(f.parameters[2].type->eigen) == "ArrayXf");
    CHECK(f.parameters[2].lengths == std::vector<std::string>{"n"});
    CHECK(f.parameters[3].low == "2");
    CHECK(f.parameters[4].low == "-1");
    CHECK(f.letters() == std::vector<std::string>{"m", "n"});
    CHECK(own_function("double f(const Eigen::MatrixXf& a, int k) { return k; }", "f").letters() ==
          std::vector<std::string>{"n"});
}

TEST_CASE("what isn't supported is refused, and the message says what to do") {
    const std::string body = " { return {}; }";
    CHECK(refuses("Eigen::VectorXf g(const Eigen::VectorXf& x)" + body, "No function f stands in the file"));
    CHECK(refuses("Eigen::VectorXf g(const Eigen::VectorXf& x)" + body, "It has: g."));
    CHECK(refuses("Eigen::VectorXf f(const Eigen::VectorXf& x);", "No function f"));
    CHECK(refuses("namespace a { Eigen::VectorXf f(const Eigen::VectorXf& x)" + body + " }", "No function f"));
    CHECK(refuses("Eigen::VectorXf f(Eigen::VectorXf& x)" + body, "x is changed in place"));
    CHECK(refuses("Eigen::VectorXf f(const Eigen::Ref<const Eigen::VectorXf>& x)" + body,
                  "the parameter x has the type const Eigen::Ref<const Eigen::VectorXf>&, which isn't supported"));
    CHECK(refuses("Eigen::Vector3f f(const Eigen::VectorXf& x)" + body, "f returns Eigen::Vector3f"));
    CHECK(refuses("auto f(const Eigen::VectorXf& x)" + body, "f returns auto"));
    CHECK(refuses("void f(const Eigen::VectorXf& x)" + body, "f returns void"));
    CHECK(refuses("const Eigen::VectorXf& f(const Eigen::VectorXf& x)" + body, "f returns"));
    CHECK(refuses("template <class T> T f(const Eigen::VectorXf& x)" + body, "f is a template"));
    CHECK(refuses("float f(float x)" + body, "there is nothing to port"));
    CHECK(refuses("float f()" + body, "there is nothing to port"));
    CHECK(refuses("float f(const Eigen::VectorXf&)" + body, "needs a type and a name"));
    CHECK(refuses("float f(const Eigen::VectorXf& x, int k = 3)" + body, "has a default value"));
    CHECK(refuses("float f(const Eigen::VectorXf& x, const int& k)" + body, "take the number k by value"));
    CHECK(refuses("float f(const float* x, int n)" + body, "the parameter x has the type const float*"));
    const std::string f = "float f(const Eigen::VectorXf& x)" + body;
    CHECK(refuses(f + "\ndouble f(const Eigen::VectorXd& x)" + body, "There are 2 functions f"));
    CHECK(refuses("#include \"mine.hpp\"\n" + f, "a header of yours can't come along"));
    CHECK(refuses("// own: y(n)\n" + f, "f has no parameter y"));
    CHECK(refuses("// own: x(m, n)\n" + f, "x is a VectorXf, which takes 1 length"));
    CHECK(refuses("// own: x(n) from 3 to 1\n" + f, "the smaller one first"));
    CHECK(refuses("// own: x(n) from one to two\n" + f, "the smaller one first"));
    CHECK(refuses("// own: all of it\n" + f, "that can't be understood"));
    CHECK(refusal(f).empty());
}

TEST_CASE("the CPU version keeps its lines' numbers, in a namespace of its own") {
    const course::OwnFiles files =
        course::own_files(fs::path(COURSE_SOURCE_DIR) / "autograder/template/own", own_function(halves, "halves"),
                          halves, "halves.cpp");
    CHECK(files.check.at("cpu_version.hpp").find("#include <Eigen/Dense>\n\nnamespace cpu {\n\n#line 1 \"halves.cpp\"\n"
                                                 "\n\nstatic float half") != std::string::npos);
    for (const auto& [name, text] : files.check) {
        INFO(name);
        INFO(text);
        CHECK((text.find('@') == std::string::npos || text.find("@throws") != std::string::npos));
    }
    CHECK(files.port.at("halves.cpp") == files.check.at("halves.cpp"));
    CHECK(files.check.at("exercise.hpp").find("gpu::Array<float> halves(const gpu::Array<float>& x);") !=
          std::string::npos);
}

TEST_CASE("a function of one's own becomes a folder, and its port is judged by it") {
    const ToyCourse toy;
    toy.write("halves.cpp", halves);
    const std::string file = (toy / "halves.cpp").string();
    const Ran made = toy.run({"own", file});
    CHECK(made.code == 0);
    CHECK(says(made, "Made work/own/halves of halves.cpp."));
    const Ran as_given = toy.run({"own", "halves"});
    CHECK(as_given.code == 3);
    CHECK(says(as_given, "work/own/halves/halves.cpp and work/own/halves/halves.cu are unchanged."));
    toy.write("work/own/halves/halves.cpp", right_port);
    const Ran passed = toy.run({"own", "halves"});
    CHECK(passed.code == 0);
    CHECK(says(passed, "Your halves   [host]"));
    CHECK(says(passed, "passed"));
    CHECK(says(passed, "What values asked of the device, case n = "));
    CHECK(says(passed, "launch                   expression"));
    toy.change("work/own/halves/halves.cpp", "0.5f", "0.6f");
    const Ran wrong = toy.run({"own", file});
    CHECK(wrong.code == 1);
    CHECK(says(wrong, "wrong"));
    CHECK_FALSE(says(wrong, "note:"));
    // It is no exercise of the course's.
    CHECK(toy.run({"progress", "--export", "-"}).text.find("halves") == std::string::npos);
    CHECK(says(toy.run({"own"}), "Begun in work/own: halves\n"));
}

TEST_CASE("a port that computes on the host is over its budget, and one that crashes ends alone") {
    const ToyCourse toy;
    toy.write("halves.cpp", halves);
    CHECK(toy.run({"own", (toy / "halves.cpp").string()}).code == 0);
    toy.write("work/own/halves/halves.cpp",
              "#include \"exercise.hpp\"\n\ngpu::Array<float> halves(const gpu::Array<float>& x) {\n"
              "    std::vector<float> h = gpu::to_host(x);\n    for (float& one : h) one /= 2;\n"
              "    return gpu::to_device(h);\n}\n");
    const Ran on_host = toy.run({"own", "halves"});
    CHECK(on_host.code == 1);
    CHECK(says(on_host, "over budget"));
    CHECK(says(on_host, "the arrays are on the device: compute there"));
    toy.write("work/own/halves/halves.cpp",
              "#include \"exercise.hpp\"\n#include <cstdlib>\n\n"
              "gpu::Array<float> halves(const gpu::Array<float>&) { std::abort(); }\n");
    const Ran crashed = toy.run({"own", "halves"});
    CHECK(crashed.code == 1);
    CHECK(says(crashed, "crashed"));
}

TEST_CASE("a CPU version that doesn't compile, or doesn't end well, is said to be so") {
    const ToyCourse toy;
    toy.write("halves.cpp", "#include <Eigen/Dense>\n\nEigen::VectorXf halves(const Eigen::VectorXf& x) {\n"
                            "    return x.half();\n}\n");
    const std::string file = (toy / "halves.cpp").string();
    const Ran no_check = toy.run({"own", file});
    CHECK(no_check.code == 4);
    CHECK(says(no_check, "no check could be made of it."));
    CHECK(says(no_check, "halves.cpp:4"));
    CHECK_FALSE(fs::exists(toy / "work/own/halves"));
    toy.write("halves.cpp", "#include <cstdlib>\n#include <Eigen/Dense>\n\n"
                            "Eigen::VectorXf halves(const Eigen::VectorXf& x) { std::abort(); return x; }\n");
    CHECK(toy.run({"own", file}).code == 0);
    toy.write("work/own/halves/halves.cpp", right_port);
    const Ran aborts = toy.run({"own", "halves"});
    CHECK(aborts.code == 1);
    CHECK(says(aborts, "in cpu_version, which the check runs itself: "));
    toy.write("halves.cpp", halves);
    CHECK(says(toy.run({"own", file}), "isn't what the check was made of; --renew"));
    CHECK(toy.run({"own", file, "--renew"}).code == 0);
    CHECK(toy.read("work/own/halves/halves.cpp") == right_port);
    CHECK(toy.run({"own", "halves", "--renew"}).code == 4);
}

TEST_CASE("names that are no function of one's own") {
    const ToyCourse toy;
    CHECK(says(toy.run({"own"}), "  distances\n  smooth\n  standardize\n"));
    for (const char* name : {"none", "none.cpp", "../work", "."}) CHECK(toy.run({"own", name}).code == 4);
    toy.write("2d.cpp", halves);
    CHECK(says(toy.run({"own", (toy / "2d.cpp").string()}), "name the file like the function in it"));
}

TEST_CASE("the three given functions can be ported") {
    const ToyCourse toy;
    const std::string begin = "#include \"exercise.hpp\"\n\n";
    const std::pair<const char*, std::string> ports[] = {
        {"standardize",
         begin + "gpu::Array<float> standardize(const gpu::Array<float>& x) {\n"
                 "    const gpu::Array<float> rest = x - gpu::mean(x);\n"
                 "    return rest / gpu::sqrt(gpu::mean(rest * rest) + 1e-6f);\n}\n"},
        {"smooth",
         begin + "gpu::Array<float> smooth(const gpu::Array<float>& image, int steps) {\n"
                 "    gpu::Array<float> now = image;\n"
                 "    const auto m = image.shape()[0], n = image.shape()[1];\n"
                 "    if (m < 3 || n < 3) return now;\n"
                 "    const auto at = [&](gpu::Array<float>& of, int row, int column) {\n"
                 "        return of(gpu::slice(1 + row, m - 1 + row), gpu::slice(1 + column, n - 1 + column));\n"
                 "    };\n"
                 "    for (int step = 0; step < steps; ++step) {\n"
                 "        gpu::Array<float> before = now;\n"
                 "        at(now, 0, 0) = (at(before, 0, 0) + at(before, -1, 0) + at(before, 1, 0) +\n"
                 "                         at(before, 0, -1) + at(before, 0, 1)) / 5;\n    }\n    return now;\n}\n"},
        {"distances",
         begin + "gpu::Array<float> distances(const gpu::Array<float>& points) {\n"
                 "    const gpu::Array<float> rest = points.expand_dims(1) - points.expand_dims(0);\n"
                 "    return gpu::sum(rest * rest, {.axis = 2});\n}\n"}};
    for (const auto& [name, port] : ports) {
        INFO(name);
        CHECK(toy.run({"own", name}).code == 0);
        toy.write(std::string("work/own/") + name + "/" + name + ".cpp", port);
        const Ran ran = toy.run({"own", name});
        INFO(ran.text);
        CHECK(ran.code == 0);
    }
}
