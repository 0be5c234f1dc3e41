// What Python sees of the ways through lattices.
#pragma once

#include <nanobind/nanobind.h>

namespace tricolore {

void bind_lattices(nanobind::module_& module);

}  // namespace tricolore
