// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using FloatArray = gpu::Array<float>;
using Floats = std::vector<float>;

Floats values_of(const FloatArray& array) {
    Floats values(static_cast<std::size_t>(array.size()));
    array.copy_to(values);
    return values;
}

// What a call throws; empty if it doesn't.
template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const gpu::Error& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a captured sequence is replayed with what its arrays hold by then") {
    //! [graph]
    FloatArray x = gpu::to_device<float>({1, 2, 3}), y = gpu::zeros<float>({3});
    gpu::GraphCapture capture;
    y = x * 2.F;
    y += 1.F;
    const gpu::Graph graph = capture.end();  // nothing has run so far

    graph.replay();
    CHECK(values_of(y) == Floats{3, 5, 7});
    x.copy_from(Floats{10, 20, 30});
    graph.replay();
    CHECK(values_of(y) == Floats{21, 41, 61});
    //! [graph]
}

TEST_CASE("nothing runs while it is captured, and each replay runs once") {
    FloatArray count = gpu::zeros<float>({4});
    gpu::synchronize();
    gpu::GraphCapture capture;
    count += 1.F;
    const gpu::Graph graph = capture.end();
    CHECK(values_of(count) == Floats{0, 0, 0, 0});
    for (int k = 0; k < 5; ++k) graph.replay();
    CHECK(values_of(count) == Floats{5, 5, 5, 5});
}

TEST_CASE("arrays made in a capture, and arrays that are gone since, live as long as the graph") {
    gpu::Graph graph;
    FloatArray result = gpu::zeros<float>({1000});
    {
        const FloatArray x = gpu::ones<float>({1000});
        gpu::GraphCapture capture;
        const FloatArray twice = x * 2.F;         // made, used and gone within the capture
        const FloatArray squares = twice * twice;
        result = squares + gpu::sum(x);
        graph = capture.end();
    }
    for (int k = 0; k < 3; ++k) {  // what would be reused if it were free
        const FloatArray other = gpu::full<float>({1000}, -7.F);
        graph.replay();
        CHECK(values_of(result) == Floats(1000, 1004.F));
    }
}

TEST_CASE("all kinds of kernels and copies on the device are captured") {
    const int n = 100003;
    const gpu::ElementwiseKernel fma("T x, T y", "T z", "z = x * y + 1", "graph_fma");
    const gpu::ReductionKernel squares("T x", "T y", "x * x", "a + b", "y = a", "0", "graph_squares");
    const gpu::RawKernel<void(float*, int)> add_one(
        "__global__ void add_one(float* z, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) z[i] += 1;\n}\n",
        "add_one");
    FloatArray x = gpu::full<float>({n}, 2.F), z = gpu::zeros<float>({n}), copied = gpu::zeros<float>({n});
    FloatArray total = gpu::zeros<float>({}), norm = gpu::zeros<float>({});
    gpu::GraphCapture capture;
    fma(x, x, gpu::out(z));                                            // 5
    add_one({.grid = (n + 255) / 256, .block = 256}, z, n);            // 6
    copied = z.copy();
    gpu::sum(copied, {.out = gpu::out(total)});
    squares(x, gpu::out(norm));
    const gpu::Graph graph = capture.end();
    for (int k = 0; k < 2; ++k) {
        graph.replay();
        CHECK(z(n - 1).item() == 6);
        CHECK(copied(0).item() == 6);
        CHECK(total.item() == 6.F * static_cast<float>(n));
        CHECK(norm.item() == 4.F * static_cast<float>(n));
    }
}

TEST_CASE("a graph is replayed in any stream of its device, in that stream's order") {
    FloatArray x = gpu::zeros<float>({1 << 16});
    gpu::GraphCapture capture;
    x += 1.F;
    const gpu::Graph graph = capture.end();
    const gpu::Stream stream;
    graph.replay(stream);
    graph.replay(stream);
    {
        const gpu::StreamGuard guard(stream);
        x *= 10.F;
        graph.replay();
    }
    stream.synchronize();
    CHECK(x(5).item() == 21);
}

TEST_CASE("work in a capture is counted when it is replayed") {
    FloatArray x = gpu::zeros<float>({16});
    x += 1.F;
    const gpu::Counts before = gpu::counts();
    gpu::GraphCapture capture;
    x += 1.F;
    x *= 2.F;
    const gpu::Graph graph = capture.end();
    CHECK((gpu::counts() - before).launches == 0);
    graph.replay();
    graph.replay();
    CHECK((gpu::counts() - before).launches == 4);
    CHECK(x(3).item() == 10);
}

TEST_CASE("an expression of an array that a replay wrote is out of date") {
    FloatArray x = gpu::zeros<float>({16});
    const FloatArray y = gpu::ones<float>({16});
    gpu::GraphCapture capture;
    x += y;
    const gpu::Graph graph = capture.end();
    const auto of_written = x + 1.F;
    const auto of_read = y + 1.F;
    graph.replay();
    CHECK_THROWS_AS((void)of_written.eval(), gpu::ExpressionError);
    CHECK(of_read.eval()(0).item() == 2);
}

TEST_CASE("page-locked memory is copied by a graph, other host memory is refused") {
    FloatArray x = gpu::zeros<float>({3});
    gpu::Pinned<float> from(3), to(3);
    Floats pageable(3);
    gpu::GraphCapture capture;
    (void)x.copy_from_async(from);
    x *= 2.F;
    (void)x.copy_to_async(to);
    CHECK(contains(message_of([&] { (void)x.copy_from_async(pageable); }), "gpu::Pinned"));
    const gpu::Graph graph = capture.end();
    for (int round = 1; round <= 2; ++round) {
        for (int k = 0; k < 3; ++k) from[static_cast<std::size_t>(k)] = static_cast<float>(round * (k + 1));
        graph.replay();
        gpu::synchronize();
        for (int k = 0; k < 3; ++k) CHECK(to[static_cast<std::size_t>(k)] == static_cast<float>(2 * round * (k + 1)));
    }
}

TEST_CASE("what waits can't be captured, and the error names it") {
    const FloatArray one = gpu::ones<float>({}), many = gpu::ones<float>({10});
    Floats host(10);
    gpu::Event event, recorded;
    recorded.record();
    const gpu::Stream stream;
    {
        //! [capture]
        const gpu::GraphCapture capture;
        CHECK_THROWS_WITH_AS((void)one.item(),
                             "item(): not while a gpu::GraphCapture notes what this thread launches: do it before the "
                             "capture, or after a replay",
                             gpu::Error);
        //! [capture]
        CHECK(contains(message_of([] { gpu::synchronize(); }), "synchronize: not while"));
        CHECK(contains(message_of([&] { stream.synchronize(); }), "synchronize: not while"));
        CHECK(contains(message_of([&] { event.record(); }), "Event::record: not while"));
        CHECK(contains(message_of([&] { recorded.synchronize(); }), "Event::synchronize: not while"));
        CHECK(contains(message_of([&] { stream.wait(recorded); }), "wait: not while"));
        CHECK(contains(message_of([&] { many.copy_to(host); }), "copy_to_async"));
        CHECK(contains(message_of([&] { (void)gpu::to_device<float>({1, 2}); }), "copy_from_async"));
        const FloatArray matrix = gpu::ones<float>({2, 2});
        CHECK(contains(message_of([&] { (void)gpu::matmul(matrix, matrix); }), "linear algebra: not while"));
        CHECK(contains(message_of([&] { (void)gpu::linalg::inv(matrix); }), ": not while"));
        CHECK(contains(message_of([] { const gpu::GraphCapture inner; }), "GraphCapture: not while"));
        const gpu::ElementwiseKernel twice("T x", "T y", "y = 2 * x", "graph_twice");
        CHECK(contains(message_of([&] { (void)twice(many, {.stream = stream}); }), "isn't in the graph"));
        const gpu::StreamGuard other(stream);
        CHECK(contains(message_of([&] { (void)FloatArray(many + 1.F); }), "isn't in the graph"));
    }
    CHECK(one.item() == 1);  // and all is as before
    gpu::synchronize();
}

TEST_CASE("graphs that are empty or were moved from, and captures that have ended, say so") {
    const gpu::Graph empty;
    CHECK_FALSE(empty);
    CHECK(contains(message_of([&] { empty.replay(); }), "Graph::replay: the graph is empty"));

    FloatArray x = gpu::zeros<float>({2});
    gpu::GraphCapture capture;
    x += 1.F;
    gpu::Graph graph = capture.end();
    CHECK(contains(message_of([&] { (void)capture.end(); }), "has ended already"));
    const gpu::Graph moved = std::move(graph);
    CHECK(contains(message_of([&] { graph.replay(); }), "was moved from"));  // NOLINT(bugprone-use-after-move)
    const gpu::Graph copied = moved;
    copied.replay();
    moved.replay();
    CHECK(values_of(x) == Floats{2, 2});

    gpu::GraphCapture outer;
    CHECK(contains(message_of([&] { moved.replay(); }), "Graph::replay: not while"));
    const gpu::Graph nothing = outer.end();  // no work is a graph, too
    nothing.replay();
    CHECK(values_of(x) == Floats{2, 2});
}

TEST_CASE("a capture that isn't ended leaves nothing behind") {
    FloatArray x = gpu::zeros<float>({2});
    try {
        const gpu::GraphCapture capture;
        x += 1.F;
        throw 1;
    } catch (int) {
    }
    x += 2.F;
    CHECK(values_of(x) == Floats{2, 2});
}

TEST_CASE("a kernel that is new in a capture is compiled there") {
    const gpu::ElementwiseKernel fresh("T x", "T y", "y = x * 12345", "graph_fresh");
    const FloatArray x = gpu::ones<float>({2});
    FloatArray y = gpu::zeros<float>({2});
    gpu::GraphCapture capture;
    fresh(x, gpu::out(y));
    const gpu::Graph graph = capture.end();
    graph.replay();
    CHECK(values_of(y) == Floats{12345, 12345});
}

TEST_CASE("sizes 0 and 1, and a hundred launches, in one graph") {
    FloatArray none = gpu::zeros<float>({0}), one = gpu::zeros<float>({1});
    gpu::GraphCapture capture;
    for (int k = 0; k < 100; ++k) {
        none += 1.F;
        one += 1.F;
    }
    const gpu::Graph graph = capture.end();
    graph.replay();
    CHECK(one.item() == 100);
    graph.replay();
    CHECK(one.item() == 200);
}

TEST_CASE("two threads capture at the same time, and a third one works on") {
    FloatArray a = gpu::zeros<float>({64}), b = gpu::zeros<float>({64}), c = gpu::zeros<float>({64});
    gpu::synchronize();
    gpu::Graph first, second;
    const auto captured = [](FloatArray& array, gpu::Graph& graph) {
        gpu::GraphCapture capture;
        for (int k = 0; k < 20; ++k) array += 1.F;
        graph = capture.end();
    };
    std::thread one([&] { captured(a, first); }), two([&] { captured(b, second); });
    for (int k = 0; k < 20; ++k) c += 1.F;
    one.join();
    two.join();
    CHECK(values_of(c) == Floats(64, 20.F));
    CHECK(values_of(a) == Floats(64, 0.F));
    first.replay();
    second.replay();
    CHECK(values_of(a) == Floats(64, 20.F));
    CHECK(values_of(b) == Floats(64, 20.F));
}
