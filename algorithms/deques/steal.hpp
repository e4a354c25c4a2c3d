// The operation of thieves, which tells a theft from what the owner takes.
#pragma once

#include <simt/simt.hpp>

SIMT_OPERATION(steal);
