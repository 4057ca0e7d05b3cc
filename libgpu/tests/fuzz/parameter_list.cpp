// SPDX-License-Identifier: MIT
// The parameters of an elementwise kernel. The input: those it reads, a line "=====", those it writes.
#include <gpu/error.hpp>

#include "codegen/parameter_list.hpp"
#include "fuzz/fuzz_target.hpp"

namespace fuzz {

FUZZ_TARGET(parameter_list, std::size_t{1} << 14) {
    using namespace gpu::detail;
    const std::string inputs(take_part(input)), outputs(input);
    try {
        const ListedParameters lists = parse_parameters(inputs, outputs, "squared_diff");
        require(!lists.outputs.empty(), "a kernel without an output");
        for (const auto* list : {&lists.inputs, &lists.outputs})
            for (const ListedParameter& one : *list) {
                require(!one.name.empty() && one.placeholder.empty() == one.dtype.has_value(),
                        "a parameter without a type");
                require(one.is_output == (list == &lists.outputs), "a parameter in the wrong list");
            }
    } catch (const gpu::Error& error) {
        require(std::string_view(error.what()).find("squared_diff") != std::string_view::npos,
                "an error that doesn't name the kernel");
    }
}

}  // namespace fuzz
