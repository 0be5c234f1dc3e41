"""Empty modules in place of large packages, so that parts of a peer that do not use them can be imported."""

import contextlib
import importlib.abc
import importlib.machinery
import sys
import types


class _Anything(type):
    """The type of classes on which any method may be called."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **options: None


class _StandIn(types.ModuleType):
    """A module in which every name is an empty class."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Anything(name, (), {})


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, packages):
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.packages:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _StandIn(spec.name)

    def exec_module(self, module):
        pass


@contextlib.contextmanager
def stand_ins(*packages):
    """Within the block, these packages are empty; afterwards they are what they were."""

    def ours():
        return {name: module for name, module in sys.modules.items() if name.split(".")[0] in packages}

    before, finder = ours(), _Finder(packages)
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in ours():
            del sys.modules[name]
        sys.modules.update(before)
