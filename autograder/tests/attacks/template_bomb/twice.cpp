// SPDX-License-Identifier: MIT
#include "exercise.hpp"
template <int n> struct Bomb { static constexpr int value = Bomb<n + 1>::value + Bomb<n + 2>::value; };
int all = Bomb<0>::value;
int twice(int x) { return x + 1; }
std::vector<float> doubled(const std::vector<float>& x) { return x; }
