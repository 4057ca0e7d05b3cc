// SPDX-License-Identifier: MIT
#pragma once
#include <texture_types.h>
