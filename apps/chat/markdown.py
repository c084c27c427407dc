"""Markdown of a reply to HTML that may be shown: rendered by one library, sanitised by another."""

import nh3
from markdown_it import MarkdownIt

_PARSER = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True}).enable(["table", "strikethrough"])
_TAGS = {
    "p", "br", "em", "strong", "s", "a", "ul", "ol", "li", "blockquote", "code", "pre", "hr",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def to_html(text: str) -> str:
    """Safe HTML. Raw HTML in `text` is shown as text; links open only http, https and mailto."""
    return nh3.clean(
        _PARSER.render(text),
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
