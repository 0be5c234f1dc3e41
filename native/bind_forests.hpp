// What Python sees of the verbs of forests.
#pragma once

#include <nanobind/nanobind.h>

namespace tricolore::graphs::forests {

void bind_forests(nanobind::module_& module);

}  // namespace tricolore::graphs::forests
