// SPDX-License-Identifier: MIT
#include <gpu/../../../@SOLUTION_FROM_KIT@>
