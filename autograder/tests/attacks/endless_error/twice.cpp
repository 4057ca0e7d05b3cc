// SPDX-License-Identifier: MIT
#include "exercise.hpp"
#define A aaaaaaaaaaaaaaaa
#define B A##x A A A A A A A A A A A A A A A
#define C B B B B B B B B B B B B B B B B
#define D C C C C C C C C C C C C C C C C
#define E D D D D D D D D D D D D D D D D
#define F E E E E E E E E E E E E E E E E
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
static_assert(false, TEXT(F));
int twice(int x) { return x + 1; }
std::vector<float> doubled(const std::vector<float>& x) { return x; }
