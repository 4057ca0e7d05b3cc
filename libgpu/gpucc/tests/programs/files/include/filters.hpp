// SPDX-License-Identifier: MIT
#pragma once

class Image;

void invert(Image& image);
void soften(Image& image, int times);
int bright_pixels(Image& image);
