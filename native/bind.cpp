// The module: texts and numbers in, numbers out, the GIL released in between.

#include "bind.hpp"

#include <stdexcept>

#include "characters.hpp"
#include "python.hpp"
#include "utf8.hpp"

namespace nb = nanobind;
using namespace tricolore;

NB_MODULE(_native, m) {
  m.doc() = "The counting core: text in, numbers out, no formulas.";
  m.attr("unicode_version") = unicode_version;
  nb::set_leak_warnings(false);  // a metric held by a module is alive at exit, and that is no mistake
  // What is too large to be counted is out of memory, as what cannot be allocated is; not a wrong value.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::length_error& error) {
      PyErr_SetString(PyExc_MemoryError, error.what());
    } catch (const NotUtf8& error) {
      PyErr_SetString(PyExc_TypeError, error.what());
    }
  });

  counting::bind_columns(m);
  counting::bind_texts(m);
  counting::bind_counters(m);
  counting::bind_pairs(m);
  counting::bind_word_matches(m);
  judging::bind_judging(m);
  tuning::bind_tuning(m);
  graphs::bind_graphs(m);
  graphs::lattices::bind_lattices(m);
  graphs::forests::bind_forests(m);
}
