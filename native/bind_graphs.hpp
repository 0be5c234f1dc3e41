// What Python sees of lattices and forests.
#pragma once

#include <nanobind/nanobind.h>

namespace tricolore::graphs {

void bind_graphs(nanobind::module_& module);

}  // namespace tricolore::graphs
