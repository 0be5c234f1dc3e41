// What Python sees of the core, by subject: each gives its part to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tricolore {

void bind_elementary(nanobind::module_& module);

namespace counting {
void bind_columns(nanobind::module_& module);
void bind_texts(nanobind::module_& module);
void bind_counters(nanobind::module_& module);
void bind_pairs(nanobind::module_& module);
void bind_word_matches(nanobind::module_& module);
}  // namespace counting

namespace judging {
void bind_judging(nanobind::module_& module);
}  // namespace judging

namespace tuning {
void bind_tuning(nanobind::module_& module);
}  // namespace tuning

namespace graphs {
void bind_graphs(nanobind::module_& module);
}  // namespace graphs

namespace graphs::lattices {
void bind_lattices(nanobind::module_& module);
}  // namespace graphs::lattices

namespace graphs::forests {
void bind_forests(nanobind::module_& module);
}  // namespace graphs::forests

}  // namespace tricolore
