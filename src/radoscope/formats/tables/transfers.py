"""What goes up to a store is written there, what comes down is read: "Upload | Download" where a page names a bucket, a
share or a NAS, and no line to the internet, whose two directions are no drive's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from radoscope import patterns as re
from radoscope.formats.context.sentences import Line
from radoscope.formats.tables.grid import Grid, Row

_UP = (
    r"(?<![a-z])upload(?:s|ing|ed)?(?![a-z])|hochladen|téléversements?|(?<![a-z])subidas?(?![a-z])|wysyłani[ae]|nahrávání"
    r"|(?<![а-я])выгрузк[аи]|上传|上傳|アップロード|업로드"
)
_DOWN = (
    r"(?<![a-z])download(?:s|ing|ed)?(?![a-z])|herunterladen|téléchargements?|(?<![a-z])descargas?(?![a-z])|pobierani[ae]"
    r"|stahování|(?<![а-я])скачивани[ея]|下载|下載|ダウンロード|다운로드"
)
_RATE = r"(?: ?(?:speeds?|rates?|throughput|bandwidth|tests?|速度|速率|带宽|速さ))?"
_NAME = re.compile(rf"(?:(?P<up>{_UP})|{_DOWN}){_RATE}", re.IGNORECASE)
_OF_NUMBER = re.compile(rf"{_NAME.pattern}(?=\s*(?:[:：=→(（\d]|[-=]+>|(?:is|was|of|at) \d|$))", re.IGNORECASE)
_STORE = re.compile(
    r"(?<![\w-])(?:s3(?:cmd)?|s5cmd|rclone|gsutil|minio|buckets?|ceph|rgw|radosgw|swift"
    r"|object (?:storage|store|gateway)s?"
    r"|nextcloud|owncloud|seafile|webdav|nas|smb|samba|cifs|nfs|synology|qnap|truenas|unraid|file ?servers?"
    r"|(?:mc|aws s3) (?:cp|copy|put|get|sync|mirror))(?![\w-])"
    r"|对象存储|对象存儲|存储桶|オブジェクトストレージ|バケット|오브젝트 스토리지",
    re.IGNORECASE,
)
_LINE = re.compile(
    r"(?<![a-z])(?:speed ?tests?|internet|wan|vpn|isp|fib(?:er|re)|dsl|starlink|iperf\d?|netperf|wi-?fi|wlan|tunnel"
    r"|wireguard|ookla|nperf|librespeed|fast\.com|lte|5g|broadband|glasfaser|mbps up)(?![a-z])|宽带|测速|回線|интернет",
    re.IGNORECASE,
)
_LONGEST_LINE = 300


def are_of_store(lines: Sequence[str]) -> bool:
    """Whether a page tells of a store's uploads and downloads, and of no line to the internet."""
    named = [line for line in lines if len(line) <= _LONGEST_LINE and ("load" in line.lower() or not line.isascii())]
    if not any(map(_NAME.search, named)):
        return False
    short = [line for line in lines if len(line) <= _LONGEST_LINE]
    return any(map(_STORE.search, short)) and not any(map(_LINE.search, short))


def with_ways(lines: Sequence[Line]) -> list[Line]:
    """Names in front of numbers, and at the end of a line, with their direction: "Upload (write): 120 MB/s"."""
    return [line._replace(text=_OF_NUMBER.sub(_with_way, line.text)) for line in lines]


def grid_with_ways(grid: Grid) -> Grid:
    """Heads and labels with their directions."""
    heads, *body = grid.rows
    named = Row(heads.line, tuple(map(_spelled, heads.cells)))
    return replace(grid, rows=(named, *(Row(row.line, (_spelled(row.cells[0]), *row.cells[1:])) for row in body)))


def _spelled(text: str) -> str:
    """A name of several transfers names none."""
    return _NAME.sub(_with_way, text) if len(_NAME.findall(text)) == 1 else text


def _with_way(match: re.Match[str]) -> str:
    return f"{match[0]} ({'write' if match['up'] else 'read'})"
