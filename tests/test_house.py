"""The rules of the house: which module imports which, who opens files, how long files and functions are."""

import ast
import importlib
import inspect
import re
from functools import cached_property

from module_graph import LAYERS, cycles, file_of, graph, imported_names, layer_of, runtime_nodes, sources

from tricolore.errors import MissingExtraError

MODULES = sources()
LONGEST_FILE = 450
LONGEST_FUNCTION = 60


def test_imports_go_one_way():
    names = [*LAYERS]
    for name, imported in graph().items():
        for other in imported:
            assert layer_of(other) <= layer_of(name), (
                f"{name} ({names[layer_of(name)]}) imports {other} ({names[layer_of(other)]})"
            )


def test_no_modules_import_each_other():
    assert cycles(graph()) == []


def test_cycles_are_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


def test_commands_compute_nothing():
    found = [
        f"{name} imports {imported}"
        for name, tree in MODULES.items()
        for imported in imported_names(name, tree)
        if name.startswith("cli") and re.match(r"numpy|scipy|tricolore\._native", imported)
    ]
    assert found == []


def test_numpy_is_imported_at_the_top():
    """In judge, tuning and graphs, which nobody loads who does not need it."""
    found = []
    for name, tree in MODULES.items():
        if re.match("judge|tuning|graphs", name):
            imports = [node for node in runtime_nodes(tree) if isinstance(node, ast.Import)]
            found += [place(name, one) for one in imports if one.names[0].name == "numpy" and one not in tree.body]
    assert found == []


#: Modules that open files: inputs, what is written, standard streams, a
#: decoder's pipes, what the package brings along, and what the system says about itself.
OPEN_FILES = re.compile(
    r"readers|compression|writers|tuning\.(rounds_folder|decoder)"
    r"|cli$|cli\.(printing|sacrebleu_flags)|examples|bibliography|processors|platforms|compat\.sacrebleu\.utils"
)
#: Calls that open a file: the function, and methods of paths.
OPENS = re.compile(r"open|.+\.(?:open|read_text|read_bytes|readlines)")


def test_only_readers_open_inputs():
    found = [
        place(name, node)
        for name, tree in MODULES.items()
        for node in runtime_nodes(tree)
        if isinstance(node, ast.Call) and OPENS.fullmatch(ast.unparse(node.func)) and not OPEN_FILES.match(name)
    ]
    assert found == []


def test_files_are_short():
    sizes = {name: len(file_of(name).read_text(encoding="utf-8").splitlines()) for name in MODULES if name != "_native"}
    assert {name: size for name, size in sizes.items() if size > LONGEST_FILE} == {}


def test_functions_are_short():
    functions = [
        (f"{place(name, node)}: {node.name}", lines_of_code(node))
        for name, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]
    assert {name: lines for name, lines in functions if lines > LONGEST_FUNCTION} == {}


def lines_of_code(function):
    """The lines of a function without its documentation, which is to be as long as it needs to be."""
    first = function.body[0]
    documented = first.end_lineno - first.lineno + 1 if ast.get_docstring(function) is not None else 0
    return function.end_lineno - function.lineno + 1 - documented


def place(name, node):
    return f"{file_of(name).name}:{node.lineno}"


def test_the_map_of_the_house_names_every_module():
    text = (file_of("tricolore").parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    map_of_the_house = text.split("src/tricolore/\n")[1].split("```")[0]
    named = {*re.findall(r"\w+", map_of_the_house)}
    many_alike = r"metrics\.|cli\.|graphs\.formats\.|compat\.sacrebleu\.tokenizers\.|_|tricolore$"
    on_the_map = [name for name in MODULES if not re.match(many_alike, name)]
    assert [name for name in on_the_map if name.split(".")[-1] not in named] == []


def test_modules_are_called_what_they_hold():
    vague = {"utils", "util", "helpers", "common", "misc", "manager", "handlers"}
    found = [name for name in MODULES if name.split(".")[-1] in vague]
    assert [name for name in found if not name.startswith("compat.")] == []  # whose names are those of the peers


def test_only_commands_use_drop_ins():
    users = [name for name, imported in graph().items() if any(other.startswith("compat") for other in imported)]
    assert [name for name in users if not re.match(r"compat|cli\.", name)] == []


def test_nothing_uses_adapters():
    users = [name for name, imported in graph().items() if any(other.startswith("adapters") for other in imported)]
    assert [name for name in users if not name.startswith("adapters")] == []


def loaded(name):
    """A module; None if it needs a package that is not installed."""
    try:
        return importlib.import_module(f"tricolore.{name}")
    except MissingExtraError:
        return None


def test_public_methods_are_documented():
    """By a docstring of their own, or by that of the method they override."""
    own = [module for name in MODULES.keys() - {"tricolore", "_native", "__main__"} if (module := loaded(name))]
    classes = {each for module in own for each in vars(module).values() if inspect.isclass(each)}
    assert [
        f"{owner.__module__}.{owner.__name__}.{name}"
        for owner in classes
        if owner.__module__.startswith("tricolore") and not owner.__name__.startswith("_")
        for name, member in vars(owner).items()
        if not name.startswith("_")
        and "<lambda>" not in str(member)
        and (inspect.isroutine(member) or isinstance(member, property | cached_property))
        and not any(vars(base)[name].__doc__ for base in owner.__mro__ if name in vars(base))
    ] == []


#: What only some systems have, and calls of `os` that only some have.
OF_SYSTEMS = re.compile(r"(fcntl|msvcrt|resource|pwd|grp|termios|select|ctypes|winreg)\b")
CALLS_OF_SYSTEMS = re.compile(
    r"os\.(killpg|sched_getaffinity|fork|setsid|getuid|umask|process_cpu_count)|sys\.platform"
)


def test_what_differs_between_systems_is_in_one_module():
    found = [
        place(name, node)
        for name, tree in MODULES.items()
        for node in runtime_nodes(tree)
        if name != "platforms"
        and (
            (isinstance(node, ast.Import) and any(OF_SYSTEMS.match(one.name) for one in node.names))
            or (isinstance(node, ast.Attribute) and CALLS_OF_SYSTEMS.fullmatch(ast.unparse(node)))
            or (isinstance(node, ast.Constant) and isinstance(node.value, str) and "/bin/sh" in node.value)
        )
    ]
    assert found == []
