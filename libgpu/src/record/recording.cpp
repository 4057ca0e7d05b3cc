// SPDX-License-Identifier: MIT
#include "record/recording.hpp"

#include <utility>

namespace gpu::detail::record {

static constexpr std::uint64_t format = 2;

// The fields of each structure, in order. `A` is a Writer or a Reader. Not in an unnamed namespace, where later
// overloads wouldn't be found.

template <class A>
void fields(A& a, MemoryOffset& x) {
    a.number(x.memory);
    a.number(x.offset);
}

template <class A>
void fields(A& a, Address& x) {
    a.number(x.at);
    fields(a, x.to);
}

static constexpr auto each = [](auto& a, auto& x) { fields(a, x); };
static constexpr auto each_text = [](auto& a, std::string& x) { a.text(x); };
static constexpr auto each_number = [](auto& a, std::int64_t& x) { a.number(x); };

template <class A>
void fields(A& a, RawArgument& x) {
    a.text(x.bytes);
    a.list(x.addresses, each);
}

template <class A>
void fields(A& a, GeneratedArgument& x) {
    a.number(x.argument.is_array);
    a.number(x.argument.is_raw);
    if (x.argument.is_array) {
        for (std::int64_t& stride : x.argument.array.strides) a.number(stride);
        for (std::int64_t& length : x.argument.array.lengths) a.number(length);
        a.number(x.is_null);
        fields(a, x.array);
    } else {
        for (unsigned char& byte : x.argument.scalar) a.number(byte);
        a.list(x.addresses, each);
    }
}

template <class A>
void fields(A& a, SourceText& x) {
    a.text(x.text);
    a.text(x.file);
    a.number(x.line);
    a.text(x.plain);
    a.text(x.made_in);
}

template <class A>
void fields(A& a, Parameter& x) {
    a.choice(x.role, Parameter::Role::scalar);
    a.text(x.type);
    a.text(x.name);
    a.number(x.strided);
    a.number(x.broadcast_inner);
    a.number(x.broadcast_outer);
    a.number(x.is_raw);
    a.number(x.is_dense);
    a.number(x.rank);
}

template <class A>
void fields(A& a, ElementwiseText& x) {
    a.text(x.name);
    a.list(x.parameters, each);
    a.number(x.rank);
    a.text(x.typedefs);
    fields(a, x.preamble);
    fields(a, x.body);
    a.list(x.options, each_text);
    a.number(x.block);
    a.number(x.has_axes);
}

template <class A>
void fields(A& a, ReductionText& x) {
    a.text(x.name);
    a.list(x.parameters, each);
    a.number(x.kept_rank);
    a.number(x.reduced_rank);
    a.text(x.accumulator);
    a.number(x.has_own_type);
    a.text(x.typedefs);
    for (SourceText* const snippet : {&x.preamble, &x.map, &x.reduce, &x.post}) fields(a, *snippet);
    a.text(x.identity);
    a.list(x.options, each_text);
    a.text(x.made_in);
}

template <class A>
void fields(A& a, StructLayout& x) {
    a.text(x.name);
    a.number(x.bytes);
    a.number(x.alignment);
}

template <class A>
void fields(A& a, RawEntry& x) {
    a.text(x.name);
    a.text(x.signature);
}

template <class A>
void fields(A& a, RawText& x) {
    a.text(x.name);
    fields(a, x.source);
    a.text(x.signature);
    a.list(x.options, each_text);
    a.list(x.structs, each);
    a.list(x.more, each);
}

template <class A>
void fields(A& a, Allocated& x) {
    a.number(x.memory);
    a.number(x.bytes);
    a.number(x.is_shared);
}

template <class A>
void fields(A& a, Freed& x) {
    a.number(x.memory);
}

template <class A>
void fields(A& a, Described& x) {
    a.number(x.memory);
    a.choice(x.elements, DType::complex128);
    a.list(x.lengths, each_number);
}

template <class A>
void fields(A& a, CopiedUp& x) {
    fields(a, x.to);
    a.number(x.is_argument);
    a.number(x.is_counted);
    a.number(x.argument);
    a.number(x.offset);
    a.number(x.bytes);
    a.text(x.other);
}

template <class A>
void fields(A& a, CopiedDown& x) {
    fields(a, x.from);
    a.number(x.bytes);
    a.number(x.is_counted);
}

template <class A>
void fields(A& a, CopiedOnDevice& x) {
    fields(a, x.to);
    fields(a, x.from);
    a.number(x.bytes);
    a.number(x.is_counted);
}

template <class A>
void fields(A& a, Filled& x) {
    fields(a, x.to);
    a.number(x.bytes);
    a.number(x.byte);
}

template <class A>
void fields(A&, Waited&) {}
template <class A>
void fields(A&, CheckBegan&) {}
template <class A>
void fields(A&, CheckEnded&) {}

// Writes or reads the index of a variant's structure, then the structure.
template <std::size_t k = 0, class... T>
void emplace(std::variant<T...>& to, std::size_t index) {
    if constexpr (k < sizeof...(T)) {
        if (index == k) to.template emplace<k>();
        else emplace<k + 1>(to, index);
    }
}
template <class A, class... T>
void one_of(A& a, std::variant<T...>& x) {
    std::size_t index = x.index();
    a.choice(index, sizeof...(T) - 1);
    if constexpr (std::is_same_v<A, Reader>) emplace(x, index);
    std::visit([&](auto& chosen) { fields(a, chosen); }, x);
}

template <class A>
void fields(A& a, Kernel& x) {
    a.number(x.kernel);
    one_of(a, x.text);
}

template <class A>
void fields(A& a, Module& x) {
    a.number(x.module);
    fields(a, x.text);
}

template <class A>
void fields(A& a, ModuleKernel& x) {
    a.number(x.kernel);
    a.number(x.module);
    a.text(x.entry);
    a.text(x.name);
}

template <class A>
void fields(A& a, ModuleVariable& x) {
    a.number(x.memory);
    a.number(x.module);
    a.text(x.name);
}

template <class A>
void fields(A& a, Extent3& x) {
    a.number(x.x);
    a.number(x.y);
    a.number(x.z);
}

template <class A>
void fields(A& a, RawLaunch& x) {
    a.number(x.kernel);
    fields(a, x.shape.grid);
    fields(a, x.shape.block);
    a.number(x.shape.shared_bytes);
    a.list(x.arguments, each);
}

template <class A>
void fields(A& a, ElementwiseLaunch& x) {
    a.number(x.kernel);
    a.number(x.size);
    a.list(x.lengths, each_number);
    a.number(x.bytes);
    a.list(x.arguments, each);
}

template <class A>
void fields(A& a, ReductionLaunch& x) {
    a.number(x.kernel);
    a.number(x.outputs);
    a.number(x.reduced);
    a.list(x.kept_lengths, each_number);
    a.list(x.reduced_lengths, each_number);
    a.number(x.bytes);
    a.number(x.results);
    a.list(x.arguments, each);
}

std::string to_bytes(std::vector<Step>& steps) {
    Writer to;
    to.number(format);
    to.list(steps, [](Writer& a, Step& step) { one_of(a, step); });
    return std::move(to.bytes());
}

std::vector<Step> from_bytes(std::string_view bytes) {
    if (bytes.size() > max_bytes) throw RecordingError("the recording is longer than any that is made");
    Reader from(bytes);
    std::uint64_t version = 0;
    from.number(version);
    if (version != format) throw RecordingError("the recording was made by another version of libgpu");
    std::vector<Step> steps;
    from.list(steps, [&](Reader& a, Step& step) {
        if (steps.size() > max_steps) throw RecordingError("the recording has more steps than any that is made");
        one_of(a, step);
    });
    if (!from.at_end()) throw RecordingError("the recording goes on behind its last step");
    return steps;
}

}  // namespace gpu::detail::record
