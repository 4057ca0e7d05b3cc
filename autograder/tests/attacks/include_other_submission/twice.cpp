// SPDX-License-Identifier: MIT
#include "exercise.hpp"
#include "@OTHER@/twice.cpp"
