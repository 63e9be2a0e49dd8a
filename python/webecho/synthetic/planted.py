"""What is planted beside the pages of the plan, by the fields of `Web` that ask for it, each with a
table of the truth of its own."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.synthetic.aliases import ALIASES, plant_aliases
from webecho.synthetic.ground import Ground, Planted
from webecho.synthetic.pages import MadePage
from webecho.synthetic.passages import PASSAGES, plant_passages
from webecho.synthetic.popular import POPULAR, plant_popular
from webecho.synthetic.questions import QUESTIONS, plant_questions
from webecho.synthetic.url_rules import URL_RULES, plant_url_rules
from webecho.synthetic.web import Web
from webecho.workspace.table_files import write_table

PLANTERS: dict[str, tuple[pa.Schema, Callable[[Ground], Iterator[Planted]]]] = {
    "passages": (PASSAGES, plant_passages),
    "popular": (POPULAR, plant_popular),
    "aliases": (ALIASES, plant_aliases),
    "url_rules": (URL_RULES, plant_url_rules),
    "questions": (QUESTIONS, plant_questions),
}
# The questions by themselves, as a collection that is looked for in another.
ASKED = "questions.jsonl"
# All files that what is planted may leave beside the truth.
TABLES = (*(f"{name}.parquet" for name in PLANTERS), ASKED)


@dataclass
class Planting:
    """What is planted in a web, page after page, and the rows of its tables as far as they are
    known."""

    web: Web
    host: int  # the first one that the pages of the plan leave free
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def pages(self) -> Iterator[MadePage]:
        ground = Ground(self.web, self.web.pages, self.host)
        asked = [name for name in PLANTERS if getattr(self.web, name)]
        return chain.from_iterable(self.planted(name, ground) for name in asked)

    def planted(self, name: str, ground: Ground) -> Iterator[MadePage]:
        rows = self.tables.setdefault(name, [])
        _, plant = PLANTERS[name]
        for page, row in plant(ground):
            if row is not None:
                rows.append(row)
            if page is not None:
                yield page

    def write(self, folder: Path) -> None:
        """Writes the tables, and the questions as a file of lines."""
        for name, rows in self.tables.items():
            schema, _ = PLANTERS[name]
            write_table(folder / f"{name}.parquet", [pa.Table.from_pylist(rows, schema)])
        if "questions" in self.tables:
            asked = {row["id"]: row["text"] for row in self.tables["questions"]}
            lines = [
                json.dumps({"id": number, "text": text}, ensure_ascii=False)
                for number, text in asked.items()
            ]
            (folder / ASKED).write_text("\n".join(lines) + "\n", encoding="utf-8")
