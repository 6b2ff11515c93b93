"""Writes the static site to target/site: the documents as a book, all reports, their index and the page of encodings.

It needs mdBook, and `bezzel report --all` before it for the pages of reports. The book has the documents that
docs/README.md lists, in its order, those at the root, and those that they link to. A link that leads nowhere is an error.
"""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "target/site"
BOOK = ROOT / "target/book"
LINK = re.compile(r"\]\(([^)\s]+)\)")
CONFIG = """[book]
title = "Bezzel"
src = "src"
[output.html]
no-section-label = true
fold.enable = true
"""


def targets(document):
    """The files of the repository to which a document links."""
    text = (ROOT / document).read_text()
    for link in LINK.findall(text):
        if "://" not in link and not link.startswith("#"):
            path = (ROOT / document).parent / link.split("#")[0]
            yield path.resolve().relative_to(ROOT).as_posix()


def chapters():
    """The parts of the book: headings with documents. README.md is before all, further linked documents are last."""
    parts = [("", ["README.md", "docs/README.md"])]
    for line in (ROOT / "docs/README.md").read_text().splitlines():
        if line.startswith("## "):
            parts.append((line.removeprefix("## "), []))
        elif found := re.match(r"- \[[^]]*\]\(([^)]*\.md)\)", line):
            parts[-1][1].append((ROOT / "docs" / found[1]).resolve().relative_to(ROOT).as_posix())
    known = [document for _, part in parts for document in part]
    for document in known:
        linked = {it for it in targets(document) if it.endswith(".md")}
        known.extend(sorted(it for it in linked if it not in known and not it.startswith("reports/")))
    listed = sum(len(part) for _, part in parts)
    return [*((head, part) for head, part in parts if part), ("More", known[listed:])]


def published(document):
    """The address of a document in the site."""
    if document.startswith("reports/"):
        return document.replace("report.md", "index.html")
    return re.sub(r"(^|/)README\.md$", r"\1index.md", document).removesuffix(".md") + ".html"


def staged(document):
    """The text of a document with links to pages of the site."""
    here = (ROOT / document).parent

    def link(found):
        address, _, anchor = found[1].partition("#")
        if "://" in address or not address.endswith(".md"):
            return found[0]
        path = (here / address).resolve().relative_to(ROOT)
        address = address.removesuffix(path.name) + Path(published(path.as_posix())).name
        return f"]({address}{'#' if anchor else ''}{anchor})"

    text = LINK.sub(link, (ROOT / document).read_text())
    # The first page leads to the reports, which are no chapters.
    pages = "[Reports](reports/index.html) · [Encodings](reports/encodings.html)"
    return text.replace("\n\n", f"\n\n{pages}\n\n", 1) if document == "README.md" else text


def write_book():
    """Makes the book, and copies the other files to which its documents link."""
    shutil.rmtree(BOOK, ignore_errors=True)
    summary = ["# Summary"]
    parts = chapters()
    for head, part in parts:
        summary.append(f"\n# {head}\n" if head else "")
        for document in part:
            path = BOOK / "src" / document
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(staged(document))
            title = re.search(r"^# (.*)", path.read_text(), re.M)[1]
            summary.append(f"{'- ' if head else ''}[{title}]({document})")
    (BOOK / "src/SUMMARY.md").write_text("\n".join(summary) + "\n")
    (BOOK / "book.toml").write_text(CONFIG)
    subprocess.run(["mdbook", "build", "--dest-dir", SITE, BOOK], check=True)
    documents = [document for _, part in parts for document in part]
    for path in {path for document in documents for path in targets(document)}:
        if (ROOT / path).is_file() and not path.endswith(".md"):
            (SITE / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, SITE / path)


def copy_reports():
    """Copies the reports. One without its evidence has its Markdown in place of its page."""
    shutil.copytree(ROOT / "reports", SITE / "reports", dirs_exist_ok=True)
    encodings = SITE / "reports/encodings.html"
    link = r'href="../docs/\1.html#\2"'
    encodings.write_text(re.sub(r'data-doc="([^"#]*)#([^"]*)"', link, encodings.read_text()))
    for report in (SITE / "reports").glob("*/report.md"):
        page = report.with_name("index.html")
        if not page.exists():
            page.write_text(f'<meta http-equiv="refresh" content="0; url=report.md"><a href="report.md">{report.parent.name}</a>')


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(filter(None, (attrs.get("id"), attrs.get("name"))))
        if tag != "link":
            self.links.update(filter(None, (attrs.get("href"), attrs.get("src"))))


def broken():
    """The links of the site that lead nowhere. The page for missing addresses and the page for paper have other folders."""
    skipped = {SITE / "404.html", SITE / "print.html", SITE / "toc.html"}
    pages = {path: Page(path) for path in SITE.rglob("*.html") if path not in skipped}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            to = to / "index.html" if to.is_dir() else to
            # The state of a report's page is in the fragment, as in `#words=…`.
            is_anchor = parts.fragment and "=" not in parts.fragment and to in pages
            if parts.scheme or link == "../../":
                continue
            if not to.exists() or is_anchor and unquote(parts.fragment) not in pages[to].anchors:
                yield f"{path.relative_to(SITE)}: {link}"


def main():
    write_book()
    copy_reports()
    if faults := sorted(broken()):
        sys.exit("links that lead nowhere:\n" + "\n".join(faults))
    pages = sum(1 for _ in SITE.rglob("*.html"))
    print(f"{SITE}/index.html: {pages} pages, all links lead somewhere")


if __name__ == "__main__":
    main()
