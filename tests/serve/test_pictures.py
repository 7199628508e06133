"""Pictures of the pages that stand still, against those that somebody has looked at: golden/serve/LOOK.png.

A sheet has a column for each page and a row for each language, each picture shrunk until a letter is a shade: what is
compared is where things are and their colours, not how one release of a browser smooths a letter.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from radoscope.words import LANGUAGES
from tests.serve.conftest import LOOKS, Server, serving

SHEETS = Path(__file__).parents[1] / "golden" / "serve"
TEXT = (SHEETS / "pasted.txt").read_text(encoding="utf-8")
PAGES = ("/", "/library", "/measure?where=example", "/what-if", "/lab", "/nowhere")
FONTS = {"sans-serif": "DejaVu Sans", "sans-serif:lang=ja": "Noto Sans CJK", "sans-serif:lang=zh-cn": "Noto Sans CJK"}
SHRUNK, OFF, MOST = 12, 24, 0.05
"""Pixels that become one; the difference of 255 that counts; the share of what is not empty that may differ."""
COMPARE = """
async ([pictures, across, shrunk, off, golden]) => {
  const read = async (png) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  };
  const small = (image) => {
    const made = new ImageData(Math.floor(image.width / shrunk), Math.floor(image.height / shrunk));
    for (let y = 0; y < made.height; y++) for (let x = 0; x < made.width; x++) for (let c = 0; c < 4; c++) {
      let sum = 0;
      for (let j = 0; j < shrunk; j++) for (let i = 0; i < shrunk; i++)
        sum += image.data[((y * shrunk + j) * image.width + x * shrunk + i) * 4 + c];
      made.data[(y * made.width + x) * 4 + c] = sum / shrunk / shrunk;
    }
    return made;
  };
  const made = [];
  for (const png of pictures) made.push(small(await read(png)));
  const [wide, high] = [made[0].width, made[0].height];
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [wide * across, high * Math.ceil(made.length / across)];
  const pen = sheet.getContext("2d");
  made.forEach((one, at) => pen.putImageData(one, wide * (at % across), high * Math.floor(at / across)));
  const now = pen.getImageData(0, 0, sheet.width, sheet.height);
  const then = golden ? await read(golden) : now;
  const empty = made[0].data.slice(0, 3);
  const shares = made.map((_one, at) => {
    let [many, drawn] = [0, 1];
    for (let y = 0; y < high; y++) for (let x = 0; x < wide; x++) {
      const [column, line] = [wide * (at % across) + x, high * Math.floor(at / across) + y];
      const place = (image) => (line * image.width + column) * 4;
      const far = (a, b, by) => [0, 1, 2].some((c) => !(Math.abs(a[c] - b[c]) <= by));
      const [one, other] = [now, then].map((image) => image.data.slice(place(image), place(image) + 3));
      many += far(one, other, off);
      drawn += far(one, empty, 4) || far(other, empty, 4);
    }
    return many / drawn;
  });
  return [sheet.toDataURL("image/png").split(",")[1], shares];
}
"""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With nothing in the library, so that no date is on the pages."""
    if os.geteuid() != 0:
        pytest.skip("the lab's form is another for users who are not root")
    for asked, font in FONTS.items():
        if shutil.which("fc-match") is None or font not in _said("fc-match", "-f", "%{family}", asked):
            pytest.skip(f"the pictures were drawn with {font}: apt install fonts-dejavu-core fonts-noto-cjk")
    with serving(tmp_path_factory.mktemp("pictures")) as begun:
        yield begun


def _said(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


def pictures(chromium: Any, server: Server, look: str, style: str = "") -> list[bytes]:
    """Of each page in each language; with a style of its own, in English alone."""
    judged = server.post("/paste", {"text": TEXT}).headers["location"]
    found = []
    for language in ("en",) if style else LANGUAGES:
        with chromium.new_context(locale=language, reduced_motion="reduce", **LOOKS[look]) as context:
            tab = context.new_page()
            tab.goto(f"{server.base}/?token={server.token}")
            for path in (*PAGES, judged):
                tab.goto(server.base + path)
                if style:
                    tab.evaluate(f"() => {{ document.body.style = {style!r} }}")
                found.append(tab.screenshot(animations="disabled"))
    return found


def compared(chromium: Any, made: list[bytes], golden: bytes | None) -> tuple[bytes, dict[str, float]]:
    """(the sheet, the share that differs of each picture that differs too much)."""
    with chromium.new_context() as context:
        told = [base64.b64encode(one).decode() for one in made]
        asked = [told, len(PAGES) + 1, SHRUNK, OFF, base64.b64encode(golden).decode() if golden else None]
        sheet, shares = context.new_page().evaluate(COMPARE, asked)
    names = [f"{language} {page}" for language in LANGUAGES for page in (*PAGES, "/paste/...")]
    differ = {name: round(share, 3) for name, share in zip(names, shares, strict=False) if share > MOST}
    return base64.b64decode(sheet), differ


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_pages_look_as_in_the_golden_pictures(chromium: Any, fresh: Server, tmp_path: Path, look: str) -> None:
    golden = SHEETS / f"{look}.png"
    made = pictures(chromium, fresh, look)
    sheet, differ = compared(chromium, made, golden.read_bytes() if golden.exists() else None)
    if os.environ.get("RADOSCOPE_UPDATE_GOLDEN") and (differ or not golden.exists()):
        golden.write_bytes(sheet)
        return
    now = tmp_path / f"{look}.png"
    now.write_bytes(sheet)
    assert not differ, f"compare {now} with {golden}; `make golden` takes the new one"


@pytest.mark.slow
@pytest.mark.parametrize("style", ["padding-top: 12px", "background: #fec", "font-family: serif; font-size: 20px"])
def test_a_page_that_looks_otherwise_is_seen(chromium: Any, fresh: Server, style: str) -> None:
    made = pictures(chromium, fresh, "light", style)
    _sheet, differ = compared(chromium, made, (SHEETS / "light.png").read_bytes())
    assert len(differ) == len(made)
