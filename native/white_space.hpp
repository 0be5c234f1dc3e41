// Which white space there is in a text.
#pragma once

#include "text.hpp"

namespace tricolore {

// Whether a text has no white space but the space.
bool has_spaces_only(const TextView& text);

// Whether a text has any white space.
bool has_space(const TextView& text);

}  // namespace tricolore
