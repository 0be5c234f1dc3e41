// The module: texts and numbers in, numbers out, the GIL released in between.

#include "bind.hpp"

#include <stdexcept>

#include "characters.hpp"
#include "processor_level.hpp"
#include "python.hpp"
#include "utf8.hpp"

namespace nb = nanobind;
using namespace tricolore;

namespace {

#if defined(__clang__)
constexpr const char* compiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "GCC " __VERSION__;
#elif defined(_MSC_VER)
#define TRICOLORE_TEXT_OF(value) #value
#define TRICOLORE_AS_TEXT(value) TRICOLORE_TEXT_OF(value)
constexpr const char* compiler = "MSVC " TRICOLORE_AS_TEXT(_MSC_VER);
#else
constexpr const char* compiler = "unknown";
#endif

// The level of instructions that cloned functions use here, or the one that the compiler assumes.
const char* instructions() {
#if defined(TRICOLORE_HAS_CLONES) && !defined(__SANITIZE_THREAD__)
  if (has_level_3()) return "x86-64-v3";
#endif
#if defined(__x86_64__) || defined(_M_X64)
  return "x86-64";
#elif defined(__aarch64__) || defined(_M_ARM64)
  return "aarch64";
#else
  return "baseline";
#endif
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The counting core: text in, numbers out, no formulas.";
  m.attr("unicode_version") = unicode_version;
  m.attr("compiler") = compiler;
  m.attr("instructions") = instructions();
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
  bind_elementary(m);
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
