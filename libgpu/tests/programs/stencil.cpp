// SPDX-License-Identifier: MIT
#include "program.hpp"
namespace programs {
std::vector<Program> stencil_programs() { return {}; }
}
