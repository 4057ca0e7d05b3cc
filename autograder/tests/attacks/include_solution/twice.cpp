// SPDX-License-Identifier: MIT
#include "../../solutions/01-twice/twice.cpp"
