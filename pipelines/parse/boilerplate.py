"""Which parts of a page are furniture: navigation, banners, related lists, forms, footers. General rules only.

A rule may look at tag names, roles, hidden states, words of class names and ids, and the share of linked text.
No rule may know a site.
"""

from __future__ import annotations

import re

from pipelines.parse.page import Node, Page

# Never text of the page, whatever they hold.
_TAGS = (
    "head script style noscript template iframe object embed applet canvas svg math video audio map nav footer "
    "aside dialog menu button select option textarea input datalist progress meter noframes label"
)
_DROPPED_TAGS = frozenset(_TAGS.split())
_ROLES = (
    "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tablist "
    "tooltip status progressbar switch"
)
_DROPPED_ROLES = frozenset(_ROLES.split())
_READER_PANELS = frozenset({"tabpanel", "region"})

# Words of class names and ids. A word counts when it stands alone between separators or capitals.
_FURNITURE_WORDS = re.compile(
    r"(?<![a-z0-9])(?:"
    r"nav|navs|navbar|navigation|subnav|topnav|topbar|menu|menus|submenu|megamenu|breadcrumbs?|crumbs?"
    r"|sidebar|sidenav|toc|tableofcontents|table-of-contents|masthead|site-?header|global-?header|page-?footer"
    r"|footer|site-?footer|colophon|cookies?|cookie-?banner|consent|gdpr|ccpa|onetrust|paywall|regwall"
    r"|share|shares|sharing|share-?bar|addthis|addtoany|sharedaddy|social|socials|social-?media|follow-?us"
    r"|related|related-?(?:posts|articles|content|news|stories|products)|recommended|recommendations"
    r"|more-?(?:posts|articles|news|stories|from)|also-?like|read-?(?:more|next)|up-?next|trending|most-?read"
    r"|newsletter|newsletters|subscribe|subscription|signup|sign-?up|opt-?in|mailing-?list"
    r"|promo|promos|promotion|sponsor|sponsored|advert|adverts|advertisement|advertising|ads?|ad-?slot|banner-?ad"
    r"|comments?|comment-?list|disqus|respond|pagination|paginator|pager|page-?nav|post-?nav(?:igation)?"
    r"|prev-?next|skip|skip-?link|skip-?to-?content|skiplinks?|popup|popover|modal|lightbox|offcanvas|off-canvas"
    r"|toolbar|sr-only|visually-?hidden|screen-?reader(?:-text)?|headerlink|header-?anchor|anchor-?link"
    r"|heading-?anchor|author-?(?:bio|box|card)|about-?(?:the-?)?author|tag-?(?:cloud|list|links|pills?)|post-?tags?"
    r"|article-?tags|entry-?(?:tags|utility)|back-?to-?top|gototop|scroll-?to-?top|copyright|site-?info|print-?link"
    r"|feedback|was-this-helpful|rating|ratings|search-?(?:form|box|bar|results?)|login|log-?in|sign-?in"
    r"|lang(?:uage)?-?(?:switcher|selector|picker)|edit-?(?:page|link|this-?page)|mw-editsection|noprint|catlinks"
    r"|printfooter|jump-?link|hatnote|navbox|announcement-?bar|alert-?bar|theme-?toggle"
    r")(?![a-z0-9])"
)
# Comment threads may be longer than what they are about; no size saves them.
_THREADS = re.compile(r"(?<![a-z])(?:comments?|comment-?list|disqus)(?![a-z])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

_CONTAINERS = frozenset({"ul", "ol", "div", "section", "p", "dl", "header", "center", "table", "form", "details"})
_LINKED_SHARE = 0.66
_LINKED_SHARE_OF_PROSE = 0.9  # a paragraph may quote at length inside its links
_SAVED_SHARE = 0.35  # what holds more of the page's unlinked text than this is content, whatever its class says


class Furniture:
    """Judges the nodes of one page; keeps what it learnt about class names, so each is read once."""

    def __init__(self, page: Page, root: Node) -> None:
        self._root_words = max(root.size - root.size_links, 1)
        self._words: dict[str, bool] = {}
        self._opened = _controlled_ids(page)

    def is_furniture(self, node: Node) -> bool:
        """Whether the node and all it holds is left out of the text."""
        if node.tag in _DROPPED_TAGS:
            return not self._is_saved(node) if node.tag in ("label", "aside", "menu") else True
        attrs = node.attrs
        if attrs and self._is_marked(node):
            return True
        if node.tag == "form":
            return node.size - node.size_links < 0.3 * self._root_words and not node.links > 5
        return node.tag in _CONTAINERS and is_link_list(node)

    def _is_marked(self, node: Node) -> bool:
        attrs = node.attrs
        role = attrs.get("role")
        if role in _DROPPED_ROLES and not self._is_saved(node):
            return True
        if _is_hidden(node) and role not in _READER_PANELS and attrs.get("id") not in self._opened:
            return True
        names = f"{attrs.get('class', '')} {attrs.get('id', '')}"
        if names == " " or not self._has_furniture_word(names):
            return False
        return not self._is_saved(node) or _THREADS.search(names.lower()) is not None

    def _is_saved(self, node: Node) -> bool:
        return node.size - node.size_links > _SAVED_SHARE * self._root_words

    def _has_furniture_word(self, names: str) -> bool:
        known = self._words.get(names)
        if known is None:
            spaced = _CAMEL.sub("-", names).lower().replace("_", "-")
            known = self._words[names] = _FURNITURE_WORDS.search(spaced) is not None
        return known


def is_link_list(node: Node) -> bool:
    """Whether a container is little more than links: three or more of them, most of its characters."""
    share = _LINKED_SHARE_OF_PROSE if node.tag == "p" else _LINKED_SHARE
    return node.links >= 3 and node.size_links >= share * node.size and node.size < 150 * node.links


def content_root(page: Page) -> Node | None:
    """The element that holds the content: the main element, or its one article when that is most of it."""
    root = page.first("body") or (page.nodes[0] if page.nodes else None)
    if root is None:
        return None
    mains = [node for node in page.nodes if node.tag == "main" or node.attrs.get("role") == "main"]
    mains = [node for node in mains if _words(node) >= 0.2 * _words(root) and not _is_hidden(node)]
    if mains:
        root = max(mains, key=_words)
    articles = [
        node
        for node in page.by_tag.get("article", ())
        if root.index < node.index < root.index_end and _words(node) >= 0.6 * _words(root)
    ]
    return articles[0] if articles else root


def _words(node: Node) -> int:
    return node.size - node.size_links


def _is_hidden(node: Node) -> bool:
    attrs = node.attrs
    return (
        "hidden" in attrs
        or attrs.get("aria-hidden") == "true"
        or ("style" in attrs and _HIDDEN_STYLE.search(attrs["style"]) is not None)
    )


def _controlled_ids(page: Page) -> frozenset[str]:
    """Ids that a control of the page opens for the reader: tab panels, folded answers."""
    found: set[str] = set()
    for node in page.nodes:
        if "aria-controls" in node.attrs and node.attrs.get("role") in ("tab", "button"):
            found.update(node.attrs["aria-controls"].split())
    return frozenset(found)
