// SPDX-License-Identifier: MIT
#include "program.hpp"
namespace programs {
std::vector<Program> image_programs() { return {}; }
}
