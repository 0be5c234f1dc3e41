// What Python sees of the ways through lattices.
#pragma once

#include <nanobind/nanobind.h>

namespace tricolore::graphs::lattices {

void bind_lattices(nanobind::module_& module);

}  // namespace tricolore::graphs::lattices
