// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "emulator.hpp"
#include "cuda/plan/thread_mapping.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;
using gpu::Shape;
using gpu::Strides;

namespace {

/// An array as a call sees it: a window on memory of its own.
struct Window {
    std::vector<std::int64_t> memory;  // large enough for any type, aligned for a pack
    std::size_t item = 4, shift = 0;   // elements from the memory's start
    Strides strides;

    [[nodiscard]] unsigned char* data() const {
        const auto start = reinterpret_cast<std::uintptr_t>(memory.data());
        return reinterpret_cast<unsigned char*>((start + 127) / 128 * 128 + shift * item);
    }
};

std::int64_t offset_of(const Shape& shape, const Strides& strides, std::int64_t i) {
    std::int64_t offset = 0;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        offset += i % shape[axis] * strides[axis];
        i /= shape[axis];
    }
    return offset;
}

/// Strides of a dense array whose axes lie in this order, the last one fastest; `step` elements apart.
Strides strides_in(const Shape& shape, const std::vector<int>& order, std::int64_t step = 1) {
    std::vector<std::int64_t> strides(static_cast<std::size_t>(shape.rank()));
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
        strides[static_cast<std::size_t>(*axis)] = step;
        step *= shape[*axis];
    }
    Strides result;
    for (const std::int64_t one : strides) result.push_back(one);
    return result;
}

std::vector<int> in_order(int rank) {
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Window window(const Shape& shape, Strides strides, std::size_t item, std::size_t shift = 0) {
    Window made{.memory = {}, .item = item, .shift = shift, .strides = strides};
    std::int64_t low = 0, high = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const std::int64_t reach = (shape[axis] - 1) * strides[axis];
        (reach < 0 ? low : high) += reach;
    }
    made.shift += static_cast<std::size_t>(-low);
    made.memory.assign((static_cast<std::size_t>(high - low) + shift + 300) * item / 8 + 64, 0x0101010101010101);
    return made;
}

template <class T>
constexpr const char* type_name = "";
template <>
constexpr const char* type_name<unsigned char> = "unsigned char";
template <>
constexpr const char* type_name<short> = "short";
template <>
constexpr const char* type_name<int> = "int";
template <>
constexpr const char* type_name<float> = "float";
template <>
constexpr const char* type_name<double> = "double";

std::map<std::string, std::unique_ptr<Emulator>>& emulators() {
    static std::map<std::string, std::unique_ptr<Emulator>> all;
    return all;
}

/// z = x + 3 * y (+ i % 100) over a shape, through plan, text and launch; every element of z and all around it is
/// compared. Returns how the plan went through it.
template <class X, class Z>
Traversal check(const Shape& shape, Window x, Window y, Window z, bool uses_index,
                  std::int64_t most = max_part) {
    const std::int64_t n = shape.size();
    const auto element = [&](const Window& from, std::int64_t i) -> X& {
        return reinterpret_cast<X*>(from.data())[offset_of(shape, from.strides, i)];
    };
    const auto x_at = [&](std::int64_t i) -> X& { return element(x, i); };
    const auto y_at = [&](std::int64_t i) -> X& { return element(y, i); };
    for (std::int64_t i = 0; i < n; ++i) x_at(i) = static_cast<X>(i * 7 % 13);
    for (std::int64_t i = 0; i < n; ++i) y_at(i) = static_cast<X>(i * 5 % 11);
    Window expected = z;
    const auto put = [&](std::int64_t i, Z value) {
        reinterpret_cast<Z*>(expected.data())[offset_of(shape, z.strides, i)] = value;
    };
    // `expected` has memory of its own, at another distance from 128 bytes: compare element by element.
    for (std::int64_t i = 0; i < n; ++i)
        put(i, static_cast<Z>(x_at(i) + 3 * y_at(i) + (uses_index ? static_cast<X>(i % 100) : X{})));

    Iteration iteration{shape, {z.strides, x.strides, y.strides}};
    if (uses_index) iteration.strides.push_back(gpu::dense_strides(shape));
    const auto walked = [](const Window& one, bool is_output) {
        return WalkedArray{reinterpret_cast<std::uintptr_t>(one.data()), one.item, is_output};
    };
    const PlannedWalk plan = plan_walk(iteration, {walked(z, true), walked(x, false), walked(y, false)},
                                    {.keeps_axes = false, .uses_index = uses_index, .block = 256});
    ElementwiseText text = texts::elementwise(
        "walked",
        {texts::output(type_name<Z>, "z"), texts::input(type_name<X>, "x"), texts::input(type_name<X>, "count")},
        uses_index ? "z = x + 3 * count + i % 100" : "z = x + 3 * count", plan.iteration.shape.rank());
    for (std::size_t k = 0; k < 3; ++k) text.parameters[k].strided = !plan.is_linear[k];
    const KernelSource source = elementwise_skeleton(texts::planned(text, plan));
    const Traversal walk = work_of(source.plan).walk;
    auto& kernel = emulators()[source.text];
    if (kernel == nullptr) kernel = std::make_unique<Emulator>(source);
    std::vector<Argument> arguments;
    for (std::size_t k = 0; k < 3; ++k) {
        const Window& one = k == 0 ? z : k == 1 ? x : y;
        Argument argument;
        argument.array.data = one.data();
        if (!plan.is_linear[k]) argument.item = static_cast<std::uint8_t>(one.item);
        std::copy(plan.iteration.strides[k].begin(), plan.iteration.strides[k].end(), argument.array.strides);
        arguments.push_back(argument);
    }
    kernel->elementwise({.size = n, .shape = plan.iteration.shape}, arguments, plan.index_steps, most);

    const auto first = z.data() - (z.shift * z.item), other = expected.data() - (z.shift * z.item);
    const std::size_t bytes = z.memory.size() * 8 - 256;
    CHECK_MESSAGE(std::memcmp(first, other, bytes) == 0, gpu::to_string(shape) << " z " << gpu::to_string(z.strides)
                  << "+" << z.shift << " x " << gpu::to_string(x.strides) << "+" << x.shift << " y "
                  << gpu::to_string(y.strides) << "+" << y.shift << " walk " << static_cast<int>(walk));
    return walk;
}

template <class X, class Z = X>
Traversal check(const Shape& shape, const Strides& x, const Strides& y, const Strides& z, bool uses_index = false,
                  std::int64_t most = max_part) {
    return check<X, Z>(shape, window(shape, x, sizeof(X)), window(shape, y, sizeof(X)), window(shape, z, sizeof(Z)),
                       uses_index, most);
}

/// A window in the notation of docs/benchmarks/beside-cupy.md: axes from the outermost in memory to the innermost, "-"
/// for one that is broadcast, "'" behind one of which every second element is taken.
Window laid(const Shape& shape, const std::string& layout, std::size_t shift = 0, std::size_t item = 4) {
    Strides strides = dense_strides(shape);
    for (int axis = 0; axis < shape.rank(); ++axis) strides[axis] = 0;
    std::int64_t step = 1;
    bool is_every_second = false;
    for (auto mark = layout.rbegin(); mark != layout.rend(); ++mark) {
        if (*mark == '-') continue;
        if (*mark == '\'') {
            is_every_second = true;
            continue;
        }
        if (is_every_second) step *= 2;
        strides[*mark - '0'] = step;
        step *= shape[*mark - '0'];
        is_every_second = false;
    }
    return window(shape, strides, item, shift);
}

}  // namespace

TEST_CASE("rows and columns that are broadcast are read in packs, whatever the shape") {
    if (!with_compiler("broadcast walks")) return;
    for (const std::int64_t rows : {1, 3, 70}) {
        for (const std::int64_t columns : {1, 4, 6, 64, 132}) {
            const Shape shape{rows, columns};
            const Strides dense{columns, 1};
            const Traversal walk = check<float>(shape, dense, {0, 1}, dense);
            if (rows > 1 && columns > 1) CHECK(walk == (columns % 4 == 0 ? Traversal::packs : Traversal::elements));
            check<float>(shape, {1, 0}, dense, dense);
            check<float>(shape, {1, 0}, {0, 1}, dense, true);
            check<short>(shape, {1, 0}, {0, 1}, dense);
        }
    }
    CHECK(check<double>({6, 10}, {0, 1}, {10, 1}, {10, 1}) == Traversal::packs);
    CHECK(check<float>({6, 12}, {0, 1}, {12, 1}, {1, 6}) == Traversal::elements);  // column-major: rows of 6
    CHECK(check<float>({8, 12}, {0, 1}, {12, 1}, {1, 8}) == Traversal::packs);
}

TEST_CASE("arrays that lie across the output's rows are read through tiles") {
    if (!with_compiler("walks through tiles")) return;
    for (const auto& [rows, columns] : {std::pair{300, 200}, {129, 5}, {3, 700}, {65, 257}, {1025, 129}}) {
        const Shape shape{rows, columns};
        const Strides dense{columns, 1}, across{1, rows};
        // Rows of 128 bytes are read again from the cache, neighbours 28 bytes apart from the same sectors.
        if (columns > 128) CHECK((check<float>(shape, across, dense, dense) == Traversal::tiles) == (rows > 7));
        check<float>(shape, across, across, dense, true);
        check<double>(shape, dense, across, dense);
        check<unsigned char>(shape, across, {1, 0}, dense);
        check<short, int>(shape, across, {0, 1}, dense, false, 8192);
    }
    // Batches: the axis across is moved before the last, and the index counts as the call does.
    CHECK(check<int>({5, 9, 160}, {9 * 160, 1, 9}, {1440, 160, 1}, {1440, 160, 1}, true) == Traversal::tiles);
    CHECK(check<int>({40, 3, 160}, {1, 40 * 160, 40}, {480, 160, 1}, {480, 160, 1}, true) == Traversal::tiles);
    CHECK(check<int>({40, 3, 160}, {1, 40 * 160, -40}, {480, 160, 1}, {480, 160, 1}, false, 65536) ==
          Traversal::tiles);
}

TEST_CASE("arrays that all lie in the same order are walked through in that order") {
    const Iteration turned{{30, 20}, {Strides{1, 30}, Strides{1, 30}}};
    const std::vector<WalkedArray> arrays{{0, 4, true}, {0, 4, false}};
    const PlannedWalk plan = plan_walk(turned, arrays, {});
    CHECK(plan.iteration.shape == Shape{600});
    CHECK(plan.is_linear == std::vector<bool>{true, true});
    Iteration indexed = turned;
    indexed.strides.push_back(Strides{20, 1});
    const PlannedWalk counted = plan_walk(indexed, arrays, {.uses_index = true});
    CHECK(counted.iteration.shape == Shape{20, 30});
    CHECK(counted.index_steps == Strides{1, 20});
    CHECK(counted.iteration.strides.size() == 2);
    CHECK(plan_walk(indexed, arrays, {.keeps_axes = true, .uses_index = true}).walk == Traversal::elements);
}

TEST_CASE("arrays that begin anywhere give the same values") {
    if (!with_compiler("walks from anywhere")) return;
    for (const std::int64_t n : {1, 2, 3, 7, 255, 1030}) {
        const Shape line{n};
        for (const auto& [a, b, c] : {std::array{0, 0, 0}, {1, 1, 1}, {3, 0, 1}, {0, 2, 3}, {1, 2, 0}}) {
            const auto at = [&](std::size_t item, int shift, std::int64_t step) {
                return window(line, {step}, item, static_cast<std::size_t>(shift));
            };
            check<float, float>(line, at(4, a, 1), at(4, b, 1), at(4, c, 1), false);
            check<unsigned char, short>(line, at(1, a, 1), at(1, b, 1), at(2, c, 1), true, 512);
            check<float, float>(line, at(4, a, 2), at(4, b, 0), at(4, c, 1), false);
            check<float, float>(line, at(4, a, 1), at(4, b, -1), at(4, c, 3), false);
        }
    }
}

TEST_CASE("forty shapes and strides that nobody chose give the values of a plain loop") {
    if (!with_compiler("walks of any strides")) return;
    std::mt19937 random(20);
    const auto any = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    std::set<Traversal> seen;
    for (int k = 0; k < 40; ++k) {
        const int rank = any(1, 4);
        Shape shape;
        for (int axis = 0; axis < rank; ++axis) shape.append(any(0, 3) == 0 ? any(1, 9) : any(2, rank > 2 ? 24 : 300));
        const auto strides = [&](bool is_output) {
            std::vector<int> order = in_order(rank);
            if (any(0, 1) == 0) std::shuffle(order.begin(), order.end(), random);
            Strides made = strides_in(shape, order, any(0, 4) == 0 ? 2 : 1);
            const int axis = any(0, rank - 1);
            if (!is_output && any(0, 2) == 0) made[axis] = 0;
            if (any(0, 5) == 0) made[any(0, rank - 1)] *= -1;
            return made;
        };
        const auto shift = [&] { return static_cast<std::size_t>(any(0, 2) == 0 ? any(0, 5) : 0); };
        const Window x = window(shape, strides(false), 4, shift()), y = window(shape, strides(false), 4, shift());
        seen.insert(check<int, int>(shape, x, y, window(shape, strides(true), 4, shift()), any(0, 1) == 0,
                                    any(0, 3) == 0 ? 4096 : max_part));
    }
    CHECK(seen.size() == 3);
}

TEST_CASE("shapes and strides of the benchmark, shortened, give the values of a plain loop, each in its walk") {
    if (!with_compiler("walks of the benchmark's shapes")) return;
    struct Case {
        Shape shape;
        const char *x, *y, *z;
        std::size_t x_shift, y_shift, z_shift;
        Traversal walk;
    };
    const Case cases[] = {
        {{3, 5, 70, 66}, "012'3'", "-1'2'3", "0132", 1, 0, 0, Traversal::tiles},
        {{39, 47, 81}, "012", "120", "201", 2, 0, 0, Traversal::tiles},  // three fast axes
        {{17, 4, 51, 39}, "3102", "01-3", "0312'", 0, 3, 0, Traversal::elements},
        {{3, 4, 18, 150}, "0'132", "123-", "0312", 1, 1, 1, Traversal::tiles},
        {{201, 79}, "01", "01", "10'", 0, 0, 2, Traversal::tiles},
        {{33, 70, 58}, "0'21", "20-", "012", 0, 0, 0, Traversal::tiles},
        {{21, 14, 300}, "012", "--0", "210", 0, 0, 0, Traversal::tiles},
    };
    for (const Case& one : cases) {
        for (const bool uses_index : {false, true}) {
            for (const std::int64_t most : {std::int64_t{8192}, max_part}) {
                const Traversal walk = check<float, float>(
                    one.shape, laid(one.shape, one.x, one.x_shift), laid(one.shape, one.y, one.y_shift),
                    laid(one.shape, one.z, one.z_shift), uses_index, most);
                CHECK_MESSAGE(walk == one.walk, gpu::to_string(one.shape) << " z:" << one.z);
            }
        }
    }
}

TEST_CASE("inputs along two other axes than the output's are read through tiles of three axes") {
    if (!with_compiler("tiles of three axes")) return;
    for (const Shape& shape : {Shape{16, 16, 16}, {8, 33, 9}, {40, 17, 35}, {15, 129, 8}}) {
        const Window x = laid(shape, "012", 1), y = laid(shape, "120", 3);
        check<float, float>(shape, x, y, laid(shape, "201"), true);
        check<float, float>(shape, y, x, laid(shape, "201", 2), false, 1024);
        check<short, short>(shape, laid(shape, "021", 0, 2), laid(shape, "210", 1, 2), laid(shape, "102", 0, 2), true);
        check<double, double>(shape, laid(shape, "012", 0, 8), laid(shape, "120", 0, 8), laid(shape, "201", 0, 8),
                              false);
    }
    // One element, and axes of one element.
    for (const Shape& shape : {Shape{1, 1, 1}, {1, 20, 30}, {20, 1, 40}, {20, 40, 1}})
        check<float, float>(shape, laid(shape, "012", 1), laid(shape, "120"), laid(shape, "201", 1), true);
    // With axes before these; between them in the output's order; and with one input the same along one of the three.
    const Shape four{3, 20, 18, 37};
    check<int, int>(four, laid(four, "0123"), laid(four, "0132"), laid(four, "0231"), true);
    check<int, int>(four, laid(four, "1320"), laid(four, "0132"), laid(four, "2031"), true, 4096);
    check<int, int>(four, laid(four, "0123"), laid(four, "01-2"), laid(four, "0231"), true);
    check<int, int>(four, laid(four, "0-23"), laid(four, "0132"), laid(four, "0231"), false);
    const auto plan = [](const Shape& shape, std::size_t item) {
        const std::vector<WalkedArray> arrays{{0, item, true}, {0, item, false}, {0, item, false}};
        return plan_walk({shape, {laid(shape, "201").strides, laid(shape, "012").strides, laid(shape, "120").strides}},
                         arrays, {});
    };
    CHECK(plan({39, 467, 738}, 4).deep_log2 == 4);
    CHECK(plan({39, 467, 738}, 4).access ==
          std::vector<AccessPattern>{AccessPattern::any, AccessPattern::tile, AccessPattern::deep});
    CHECK(plan({39, 467, 738}, 8).deep_log2 == 0);  // shared memory has no room for two tiles
    CHECK(plan({5, 467, 738}, 4).deep_log2 == 0);
}

TEST_CASE("a tile is square, 256 bytes across at most, and wide where the output's rows begin within a sector") {
    // z[i, j] = x[i, j] where x is transposed; rows of z are `pitch` elements apart.
    const auto planned = [](std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::size_t item,
                            std::uintptr_t at = 0) {
        const Iteration iteration{{rows, columns}, {{pitch, 1}, {1, rows}}};
        const auto plan = plan_walk(iteration, {{4096 + at, item, true}, {4096, item, false}}, {});
        CHECK(plan.walk == Traversal::tiles);
        return std::pair{1 << plan.across_log2, plan.width >> plan.across_log2};
    };
    CHECK(planned(1000, 2000, 2000, 4) == std::pair{64, 64});
    CHECK(planned(1000, 2000, 2000, 8) == std::pair{32, 64});
    CHECK(planned(1000, 2000, 2000, 2) == std::pair{128, 64});
    CHECK(planned(1000, 40, 40, 4) == std::pair{64, 64});
    CHECK(planned(20, 2000, 2000, 4) == std::pair{32, 128});
    CHECK(planned(1000, 2000, 2001, 4) == std::pair{32, 256});
    CHECK(planned(1000, 2000, 2000, 4, 4) == std::pair{32, 256});
    CHECK(planned(1000, 2000, 2001, 8) == std::pair{16, 256});
    CHECK(planned(1000, 150, 151, 4) == std::pair{32, 256});
    CHECK(planned(1000, 50, 51, 4) == std::pair{64, 64});
    CHECK(planned(40, 2000, 2001, 4) == std::pair{32, 256});
}

TEST_CASE("tiles cover each element once, however many there are") {
    struct Case {
        Shape shape;
        ThreadWork work;
    };
    const Case cases[] = {
        {{14738, 39, 467}, {Traversal::tiles, 256, 4096, 4, 4}},
        {{14, 913045, 21}, {Traversal::tiles, 256, 4096, 7}},
        {{70001, 40009}, {Traversal::tiles, 256, 4096, 6}},
        {{499, 40009}, {Traversal::tiles, 256, 4096, 5}},
        {{2, 300, 40009}, {Traversal::tiles, 256, 8192, 5}},
        {{3, 1ll << 33, 5}, {Traversal::tiles, 256, 2048, 8}},
        {{1025, 1025, 4097}, {Traversal::tiles, 256, 4096, 4, 4}},
    };
    for (const Case& one : cases) {
        const ElementwiseSpace space{.size = one.shape.size(), .shape = one.shape};
        const int last = one.shape.rank() - 1;
        std::int64_t elements = 0;
        for (ElementwiseParts parts(space, one.work); parts.next();) {
            const SpaceArgument& part = parts.argument();
            const std::int64_t across = part.axes[last - 1].length, side = std::int64_t{1} << one.work.across_log2;
            const std::int64_t columns = part.tiles[0].length, layers = part.tiles[2].length;
            const std::int64_t groups = part.tiles[1].length, rows = groups << part.group_log2;
            const std::int64_t width = one.work.elements >> (one.work.across_log2 + one.work.deep_log2);
            CHECK(columns * width >= part.axes[last].length);
            CHECK(rows * side >= across);
            CHECK((rows - (1 << part.group_log2)) * side < across);
            if (one.work.deep_log2 > 0) CHECK((layers << one.work.deep_log2) >= part.axes[last - 2].length);
            std::int64_t before = 1;
            for (int axis = 0; axis < last - (one.work.deep_log2 > 0 ? 2 : 1); ++axis) before *= part.axes[axis].length;
            CHECK(parts.blocks() == before * columns * rows * layers);
            CHECK(parts.blocks() <= 0x7fffffff);
            elements += part.count;
        }
        CHECK(elements == one.shape.size());
    }
}

TEST_CASE("an index space is cut into parts that cover it once, each below 2^31 elements") {
    const auto parts_of = [](const Shape& shape, std::int64_t most) {
        const ElementwiseSpace space{.size = shape.size(), .shape = shape};
        std::int64_t next = 0, count = 0;
        for (ElementwiseParts parts(space, {}, {}, most); parts.next(); ++count) {
            CHECK(parts.argument().begin == next);
            CHECK(parts.argument().first == next);
            CHECK(parts.argument().count <= most);
            next += parts.argument().count;
        }
        CHECK(next == space.size);
        return count;
    };
    CHECK(parts_of({0}, 100) == 0);
    CHECK(parts_of({100}, 100) == 1);
    CHECK(parts_of({101}, 100) == 2);
    CHECK(parts_of({7, 5, 3}, 100) == 2);
    CHECK(parts_of({7, 5, 3}, 14) == 7 * 2);
    CHECK(parts_of({7, 5, 3}, 2) == 7 * 5 * 2);
    CHECK(parts_of({1ll << 31}, max_part) == 2);
    CHECK(parts_of({3, 1ll << 33}, max_part) == 15);
    CHECK(parts_of({70001, 40009}, max_part) == 2);
}

TEST_CASE("a grid has as many threads as there are packs or elements") {
    const auto blocks = [](std::int64_t size, ThreadWork work, int block = 256) {
        work.block = block;
        const ElementwiseSpace space{.size = size, .shape = {size}};
        ElementwiseParts parts(space, work);
        return parts.next() ? parts.blocks() : 0;
    };
    CHECK(blocks(1, {.elements = 4}) == 1);
    CHECK(blocks(1025, {.elements = 4}) == 2);
    CHECK(blocks(14, {.elements = 8}, 1) == 16);  // seven elements before where a pack could be, and seven behind
    CHECK(blocks(1 << 28, {.elements = 4}) == (1 << 28) / 1024);
    CHECK(blocks(1 << 20, {.walk = Traversal::elements, .elements = 1}, 64) == 1 << 14);
    CHECK(blocks(1 << 28, {.walk = Traversal::elements, .elements = 1}, 64) == 1 << 16);
    CHECK(blocks(1 << 28, {.walk = Traversal::elements, .elements = 1}) == 1 << 14);
}
#endif
