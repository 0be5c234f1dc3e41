// Names of types as the compiler writes them. Messages of the runtime about types that have no Python name, and about
// exceptions that nobody catches, are the only ones with such names; a program that makes them readable is larger than
// all that reads lattices.
//
// The function is that of the Itanium C++ ABI; with a static C++ library, the linker takes this one for it.
#include <cstddef>

extern "C" {

char* __cxa_demangle(const char*, char*, std::size_t*, int* status) __attribute__((visibility("hidden")));
char* __cxa_demangle(const char*, char*, std::size_t*, int* status) {
  constexpr int no_readable_name = -2;
  if (status != nullptr) *status = no_readable_name;
  return nullptr;
}
}
