"""The C++ sources keep the one-definition rule.

Two types or inline functions of one name in one namespace are undefined behaviour, and the linker silently keeps one of
the two. The rule here is stricter and easy to check: within a namespace, a name belongs to one file (a header and
its .cpp count as one). clang-format puts whatever is declared at namespace scope at the beginning of a line.
"""

import re
from collections import defaultdict
from pathlib import Path

NATIVE = Path(__file__).parents[1] / "native"

OPENS = re.compile(r"namespace ?([\w:]*) ?\{")
CLOSES = re.compile(r"\}  // namespace")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?) (\w+)\b(?!;)")
OTHER = re.compile(
    r"(?!enum|class|struct|union|namespace|return|static|using)[A-Za-z][^=(]*[ &*]([A-Za-z_]\w*)(?:\(|\[|\{|;| =)"
)


def names(source):
    """Pairs (namespace, name) of what a source declares with external linkage: types, functions, variables."""
    namespaces = []
    for line in source.splitlines():
        while line != (line := re.sub(r"<[^<>]*>", "", line)):  # template parameters and arguments
            pass
        if opened := OPENS.match(line):
            namespaces.append(opened.group(1))
        elif CLOSES.match(line):
            namespaces.pop()
        elif "" not in namespaces and (found := TYPE.match(line) or OTHER.match(line)):
            yield "::".join(namespaces), found.group(1)
    assert not namespaces


def homes(paths):
    """The files, without their endings, in which each name is declared."""
    found = defaultdict(set)
    for path in paths:
        for namespace, name in names(path.read_text(encoding="utf-8")):
            # bind.hpp declares what the files bind_*.cpp define.
            found[f"{namespace}::{name}"].add("bind" if path.stem.startswith("bind_") else path.stem)
    return found


SOURCE = """
namespace tricolore::counting {

struct Later;
struct View {
  int size;
};
template <class Number>
class Table : public View {
};
enum class Kind { one, two };
inline constexpr int most = 3;
inline thread_local const std::function<void()>* on_interrupt_check = nullptr;
inline int longest(const std::vector<int>& all) { return all[0]; }
std::vector<double> shortest(int a,
                             int b);
void Table::member() {}
static int kept_here() { return 1; }
using Numbers = std::vector<int>;

namespace {

struct Unseen {
};

}  // namespace

}  // namespace tricolore::counting
"""


def test_names_with_external_linkage_are_found():
    found = [name for _, name in names(SOURCE)]
    assert found == ["View", "Table", "Kind", "most", "on_interrupt_check", "longest", "shortest"]
    assert {namespace for namespace, _ in names(SOURCE)} == {"tricolore::counting"}


def test_every_name_belongs_to_one_file():
    found = homes(sorted([*NATIVE.glob("*.hpp"), *NATIVE.glob("*.cpp")]))
    assert "tricolore::graphs::lattices::NgramValues" in found
    assert {name: sorted(files) for name, files in found.items() if len(files) > 1} == {}
