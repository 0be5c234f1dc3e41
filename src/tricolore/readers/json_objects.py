"""JSON that stands on one line: an object."""

import json
from typing import Any

from ..errors import InputError


def parse_object(text: str, where: str) -> dict[str, Any]:
    """Read a JSON object; `where` names its place in a complaint.

    >>> parse_object('{"text": "a cat"}', "out.jsonl: line 1")
    {'text': 'a cat'}
    """
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error})") from None
    except RecursionError:
        raise InputError(f"{where}: lists within lists without end; expected a JSON object") from None
    if not isinstance(found, dict):
        raise InputError(f"{where}: expected a JSON object, found {type(found).__name__}")
    return found
