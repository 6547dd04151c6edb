"""Makes contracts of any length as text, DOCX and PDF, without anything but python-docx."""

from __future__ import annotations

import zlib
from io import BytesIO

TOPICS = (
    ("租金", "月租金为人民币{n}元，乙方应于每月五日前支付。逾期支付的，每日按欠付金额的千分之一支付违约金。"),
    ("维修", "房屋主体结构的维修由甲方负责，因乙方使用不当造成的损坏由乙方承担，维修应在{n}日内完成。"),
    ("解除", "甲方有权随时单方解除本合同，无需说明理由，且不承担任何赔偿责任，乙方应在{n}日内搬离。"),
    ("押金", "乙方提前退租的，押金{n}元一律不予退还，并放弃对甲方的一切追偿权利。"),
    ("通知", "任何通知应以书面形式送达，自对方签收之日起生效；本条参照第{k}条执行。"),
    ("争议", "双方发生争议的，应协商解决；协商不成的，依法向房屋所在地人民法院起诉。"),
    ("转租", "未经甲方书面同意，乙方不得转租；甲方在收到书面申请后{n}日内答复，逾期未答复的视为同意。"),
)


def contract_lines(articles: int) -> list[str]:
    """A lease of so many articles, a chapter every ten, with a preamble and a signature block."""
    lines = ["房屋租赁合同", "出租方（甲方）：某某置业有限公司", "承租方（乙方）：李某", "双方经协商，订立本合同。"]
    for number in range(1, articles + 1):
        if number % 10 == 1:
            lines.append(f"第{number // 10 + 1}章 第{number // 10 + 1}部分约定")
        name, text = TOPICS[number % len(TOPICS)]
        lines += [f"第{number}条 {name}", text.format(n=number * 10, k=max(1, number - 1))]
        lines += [f"{number}.1 " + TOPICS[(number + 3) % len(TOPICS)][1].format(n=number, k=1)]
    return [*lines, "甲方（盖章）：", "乙方（签字）：", "日期：    年  月  日"]


def as_docx(lines: list[str]) -> bytes:
    """The lines as paragraphs of a DOCX."""
    import docx

    document = docx.Document()
    for line in lines:
        document.add_paragraph(line)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def as_pdf(pages: list[list[str]]) -> bytes:
    """Pages of lines as a PDF whose one font maps UTF-16 codes to text by a ToUnicode map and embeds no glyphs."""
    used = sorted({char for page in pages for line in page for char in line})
    codes = [b"<%04X> <%04X>" % (ord(char), ord(char)) for char in used]
    blocks = [codes[at : at + 100] for at in range(0, len(codes), 100)]
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n"
        b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        + b"\n".join(b"%d beginbfchar\n%s\nendbfchar" % (len(block), b"\n".join(block)) for block in blocks)
        + b"\nendcmap end end"
    )
    kids = b" ".join(b"%d 0 R" % (6 + 2 * index) for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Song /DW 1000 /CIDSystemInfo "
        b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        _stream(cmap),
    ]
    for index, lines in enumerate(pages):
        shown = b"\n".join(b"<%s> Tj T*" % line.encode("utf-16-be").hex().encode() for line in lines)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (7 + 2 * index)
        )
        objects.append(_stream(b"BT /F1 10 Tf 14 TL 40 800 Td\n" + shown + b"\nET"))
    return _assembled(objects)


def _stream(data: bytes) -> bytes:
    packed = zlib.compress(data)
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)


def _assembled(objects: list[bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def paged(lines: list[str], height: int = 40, width: int = 44, *, header: str = "") -> list[list[str]]:
    """Lines wrapped and broken into pages, with a running header and page numbers."""
    wrapped = [line[at : at + width] for line in lines for at in range(0, len(line), width)]
    pages = [wrapped[at : at + height] for at in range(0, len(wrapped), height)]
    head = [header] if header else []
    return [[*head, *page, f"第{index}页 共{len(pages)}页"] for index, page in enumerate(pages, 1)]
