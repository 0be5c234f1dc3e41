// Code for newer processors beside that for all.
#pragma once

// Where the compiler can, a function is compiled for each; the choice is made when the module is loaded. That is before
// ThreadSanitizer is ready to watch it.
#if defined(TRICOLORE_HAS_CLONES) && !defined(__SANITIZE_THREAD__)
#define TRICOLORE_FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define TRICOLORE_FOR_EACH_PROCESSOR
#endif
