// SPDX-License-Identifier: MIT
#pragma once
#include <vector_types.h>
