// SPDX-License-Identifier: MIT
#include "program.hpp"
namespace programs {
std::vector<Program> misc_programs() { return {}; }
}
