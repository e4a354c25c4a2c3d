#include <cstdio>

#include "warpcheck_paths.hpp"

int main() { std::printf("warpcheck %s\n", warpcheck_paths::version.data()); }
