"""The modules of the package and what each imports; run as a script, it prints the graph, layer by layer.

Imports inside functions count, imports for type checkers do not. Importing `a.b` also imports the package `a`.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "tricolore"

#: From the bottom up: a module imports from its own layer and from those below. A package stands for all in it.
LAYERS = {
    "foundations": (
        "_native", "_version", "elementwise", "errors", "external_options", "extras", "numbers", "old_habits",
        "other_packages", "parameters", "platforms", "printable", "processors", "rendering", "results", "spec",
        "terminal", "types",
    ),
    "texts and numbers": (
        "bibliography", "columns", "compression", "counting", "examples", "features", "installation",
        "readers", "scoring", "segments", "set_download", "set_listing", "sets",
        "draws", "stats", "stemming", "tokenizers", "weights", "writers",
    ),
    "metrics": ("metrics",),
    "uses of metrics": (
        "alignment", "alignment_picture", "candidates", "citing", "graphs", "judge", "nbest_oracle", "scored_cells",
        "scores", "segment_files", "segment_scores", "system_alignments", "tuning",
    ),
    "tables": ("tables",),
    "clusters": ("spark",),
    "reports": ("reporting",),
    "drop-ins": ("compat",),
    "adapters": ("adapters",),
    "commands": ("cli", "__main__"),
    "all": ("tricolore",),
}  # fmt: skip


def sources():
    """The source of every module by its name; the package itself is `tricolore`, the core a module without one."""
    found = {"_native": ast.Module([], [])}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "tricolore"
        found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


def file_of(name):
    """The file of a module."""
    path = ROOT / "" if name == "tricolore" else ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def runtime_nodes(tree):
    """All nodes but those below `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from runtime_nodes(node)


def imported_names(name, tree):
    """Dotted names that a module imports, absolute; those within the package begin with `tricolore`."""
    package = ["tricolore", *name.split(".")] if name != "tricolore" else ["tricolore"]
    if file_of(name).name != "__init__.py":
        package = package[:-1]
    for node in runtime_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = [*base, *(node.module.split(".") if node.module else [])]
            yield from (".".join([*base, alias.name]) for alias in node.names)


def graph():
    """The modules of the package that each module imports."""
    modules = sources()
    edges = {}
    for name, tree in modules.items():
        edges[name] = set()
        for imported in imported_names(name, tree):
            first, _, rest = imported.partition(".")
            if first != "tricolore":
                continue
            while rest and rest not in modules:
                rest = rest.rpartition(".")[0]
            target = rest or "tricolore"
            packages = {target.rsplit(".", i)[0] for i in range(target.count(".") + 1)}
            edges[name] |= {one for one in packages if one != name and not name.startswith(f"{one}.")} | {target}
        edges[name].discard(name)
    return edges


def layer_of(name):
    """The number of the layer a module belongs to."""
    for number, members in enumerate(LAYERS.values()):
        if name.split(".")[0] in members:
            return number
    raise LookupError(f"{name}: not in any layer of tests/module_graph.py; say where it belongs")


def cycles(edges):
    """The groups of modules that import each other, directly or by way of others (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in edges[name]:
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in edges:
        if name not in index:
            visit(name)
    return found


def main():
    """Print every module with what it imports, from the bottom layer up."""
    edges = graph()
    for number, layer in enumerate(LAYERS):
        print(layer)
        for name in sorted(one for one in edges if layer_of(one) == number):
            print(f"  {name:<40} {' '.join(sorted(edges[name])) or '-'}")
        print()
    groups = cycles(edges)
    print("cycles:", *(" ".join(group) for group in groups) if groups else ["none"])


if __name__ == "__main__":
    main()
