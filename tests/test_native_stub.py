"""The stub of the native core, kept by hand, says what the built module has: names, methods, arguments."""

import ast
import re
from pathlib import Path

import tricolore
from tricolore import _native

STUB = ast.parse((Path(tricolore.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))
#: What nanobind gives every class, and pickling, which no caller names.
NOT_WRITTEN = {"__module__", "__new__", "__doc__", "__getstate__", "__setstate__", "__dict__", "__weakref__"}


def stub_classes():
    return {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def stub_members(cls):
    """Methods and properties of a class in the stub, those of its bases included."""
    inherited = [stub_members(stub_classes()[base.id]) for base in cls.bases]
    own = {
        getattr(node, "name", None) or node.target.id: node
        for node in cls.body
        if isinstance(node, ast.FunctionDef | ast.AnnAssign)
    }
    return {name: node for members in [*inherited, own] for name, node in members.items()}


def stub_arguments(function):
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def built_arguments(function):
    """The names that nanobind tells; None for those it does not know."""
    (signature, *_), *_ = function.__nb_signature__
    python = re.sub(r"ndarray\[[^\]]*\]", "Any", signature).replace("\\0", "...")  # which stands for a default
    (parsed,) = ast.parse(f"{python}: ...").body
    return [None if re.fullmatch(r"arg\d*", name) else name for name in stub_arguments(parsed)]


def assert_alike(name, stub, built):
    if not hasattr(built, "__nb_signature__"):
        return  # a property
    found, written = built_arguments(built), stub_arguments(stub)
    assert len(found) == len(written), f"{name}: {found}, but the stub says {written}"
    for one, other in zip(found, written, strict=True):
        assert one in (None, other), f"{name}: {found}, but the stub says {written}"


def test_the_stub_has_every_name_of_the_module_and_no_other():
    written = {node.name for node in STUB.body if isinstance(node, ast.FunctionDef)}
    written |= {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)}
    written |= {name for name in stub_classes() if not name.startswith("_")}
    assert {name for name in vars(_native) if not name.startswith("__")} == written


def test_functions_take_the_arguments_that_the_stub_says():
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            assert_alike(node.name, node, getattr(_native, node.name))


def test_classes_have_the_methods_that_the_stub_says():
    for name, cls in stub_classes().items():
        if name.startswith("_"):
            continue
        bases = [one for one in getattr(_native, name).__mro__ if one.__module__ == _native.__name__]
        members, built = stub_members(cls), {k: v for one in reversed(bases) for k, v in vars(one).items()}
        made_by_others = {"__init__"} - members.keys()  # of static methods, say
        assert built.keys() - NOT_WRITTEN - made_by_others == members.keys() - NOT_WRITTEN, name
        for method, node in members.items():
            if isinstance(node, ast.FunctionDef):
                assert_alike(f"{name}.{method}", node, built[method])
