import pytest

from apps.chat.markdown import to_html


def test_markdown_becomes_html():
    assert to_html("**Casa Luma**\n\n- one\n- two") == (
        "<p><strong>Casa Luma</strong></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](javascript:alert(1))",
        "<a href='data:text/html,x'>y</a>",
    ],
)
def test_nothing_in_a_reply_can_run(text):
    html = to_html(text)

    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
    assert 'href="data' not in html


def test_links_say_that_they_leave():
    assert 'rel="noopener noreferrer nofollow"' in to_html("[x](https://example.org)")
