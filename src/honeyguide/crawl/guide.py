"""What a crawl knows and where it goes next: graph, strategy and frontier, kept in step."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BESIDE, RESOURCES
from honeyguide.crawl.blocking import BLOCKED, Blocking
from honeyguide.crawl.bounds import Bounds
from honeyguide.crawl.redirects import Redirects
from honeyguide.crawl.resources import Resources
from honeyguide.crawl.shut import ShutOrigins
from honeyguide.frontier import Frontier
from honeyguide.frontier.current_list import CurrentList
from honeyguide.frontier.tiers import Tiers
from honeyguide.graph import DONE, EXCLUDED, FAILED, NO_LINKS, QUEUED, UNDER_WAY, Graph
from honeyguide.settings import normalized_seeds
from honeyguide.strategy import Lesson
from honeyguide.strategy.base import HELD_BACK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.settings import Settings
    from honeyguide.strategy import Strategy
    from honeyguide.topic import Topic

    Ids = NDArray[np.integer[Any]]

NOT_FAILED = ("", "redirect", "unjudged")


class Guide:
    """Takes visits in and gives the best URL out; where it goes `by_request`, only of those that were requested."""

    def __init__(self, settings: Settings, strategy: Strategy, topic: Topic, by_request: bool = False) -> None:
        self.graph = Graph()
        self.by_request = by_request
        self.list_events: list[tuple[str, str, Sequence[int]]] = []  # what happened to the current list
        self.frontier = self._frontier(settings)
        self.strategy = strategy
        self.changed: list[int] = []  # URLs whose state changed other than by a visit
        self.questions: list[str] = []  # what the strategy wants to be searched for
        self.not_kept: list[int] = []  # fetched pages that it does not count among its collection
        self.last_asked: dict[int, float] = {}  # when each host was
        self._settings = settings
        self.resources = Resources(self.graph)
        self.bounds = Bounds(settings, self.graph, self.resources, by_request)
        self._blocking = Blocking(self.graph, self.bounds.blocked)
        self.redirects = Redirects(self.graph, settings.max_redirects)
        self.shut_origins = ShutOrigins(self.graph)
        self._asked: Counter[int] = Counter()  # pages asked for, by host
        self._under_way: dict[int, int] = {}  # by host, where there are any: in half the time a Counter takes
        self._held: set[int] = set()  # hosts that wait for what is under way
        self._hosts_weighed = 0
        self._nearer: list[int] = []  # URLs that a visit brought within the depth allowed, or among the seeds
        self._first: set[int] = set()  # ids that go before all others, as seeds do
        self._first_waiting: set[int] = set()  # those of them that are queued
        strategy.budget = settings.pages
        strategy.begin(self.graph, topic, settings.random_seed)

    def _frontier(self, settings: Settings) -> Frontier:
        if self.by_request:
            return Tiers()
        if not settings.current_list:
            return Frontier()
        return CurrentList(
            settings.current_list,
            settings.random_seed,
            self._best,
            lambda id_: self.graph.host.item(id_),
            lambda *event: self.list_events.append(event),
        )

    @property
    def busy_hosts(self) -> int:
        """From how many hosts a page is under way."""
        return len(self._under_way)

    def under_way(self, host: int) -> int:
        """How many pages of a host are."""
        return self._under_way.get(host, 0)

    def redirected(self, id_: int) -> bool:
        """Whether a URL was answered with another."""
        return id_ in self.redirects

    def plant(self, seeds: Sequence[str]) -> NDArray[np.intp]:
        """Begin with the seeds; their ids."""
        known = len(self.graph)
        self.bounds.open_to(seeds)
        ids = self.graph.intern(seeds)
        self.bounds.apply_scope(range(known, len(self.graph)), 0)
        self.rank(ids)
        return ids

    def request(self, url: str, depth: int) -> int:
        """Queue a URL that somebody asks for, whatever became of it before; a smaller depth than known counts."""
        id_ = int(self.graph.intern([url], depth)[0])
        if self.graph.visit_of[id_]:
            self.graph.state[id_] = QUEUED  # what it came to the first time still stands
        else:
            self.graph.mark(id_, QUEUED)
        self.changed.append(id_)
        self.rank(np.array([id_]))
        return id_

    def put_first(self, found: Iterable[tuple[str, int]]) -> None:
        """Ask for these before everything else, each at its depth: pages of an earlier crawl."""
        known = len(self.graph)
        for url, depth in found:
            self._first.add(int(self.graph.intern([url], depth)[0]))
        for id_ in range(known, len(self.graph)):
            self.bounds.apply_scope(range(id_, id_ + 1), self.graph.depth.item(id_))
        self._first_waiting = {id_ for id_ in self._first if self.graph.state[id_] == QUEUED}
        self.rank(np.array(sorted(self._first)))

    def first_excluded(self) -> int:
        """How many of those may no longer be asked for."""
        return sum(int(self.graph.state[id_]) == EXCLUDED for id_ in self._first)

    def next(self, now: float) -> tuple[int, float, float] | None:
        """The best URL that may be fetched now, its score, and how much better one scored whose host must rest.

        It is under way from here on.
        """
        if self.shut_origins:
            self.rank(self.shut_origins.opened(now))
        limit = self._settings.per_host or math.inf
        take = self.frontier.draw if isinstance(self.frontier, CurrentList) else self._best
        while (popped := take(now)) is not None:
            host = self.graph.host.item(popped[0])
            if self.shut_origins and self.shut_origins.hold(popped[0]):
                continue
            if objection := self._blocking.why_closed(host):
                self.exclude(popped[0], objection)
            elif self.bounds.is_barren(popped[0]):
                self.exclude(popped[0], "trap_pattern")
            elif self._asked[host] >= limit:
                self.exclude(popped[0], "per_host")
            elif self._asked[host] + self.under_way(host) >= limit:  # it depends on what is under way
                self._hold(popped[0], host)
            else:
                self._under_way[host] = self.under_way(host) + 1
                self.graph.state[popped[0]] = UNDER_WAY
                return *popped, self.frontier.given_up(popped[1])
        return None

    @property
    def waiting(self) -> int:
        """How many URLs may be fetched, now or later."""
        return len(self.frontier) + len(self.shut_origins)

    def next_time(self) -> float:
        """When something that waits may be asked for; infinity when there is no end in sight."""
        return min(self.frontier.next_time(), self.shut_origins.next_time())

    def _best(self, now: float) -> tuple[int, float] | None:
        """The best queued URL and its score; where one so low may be out of date, all are ranked anew first."""
        while (popped := self.frontier.pop(now)) is not None and popped[1] < self.strategy.exact_from:
            self.rank(np.array([popped[0]]))
            self._apply(self.strategy.catch_up(), NO_LINKS)
        return popped

    def hold(self, id_: int) -> None:
        """Put a URL back: its host gets no more requests until one of those under way has landed."""
        self.landed(id_, -math.inf)
        self._hold(id_, self.graph.host.item(id_))

    def _hold(self, id_: int, host: int) -> None:
        self.requeue(id_)
        self.frontier.rest(host, math.inf)
        self._held.add(host)

    def landed(self, id_: int, now: float) -> None:
        """A URL is no longer under way."""
        host = self.graph.host.item(id_)
        left = self._under_way.pop(host) - 1
        if left:
            self._under_way[host] = left
        if host in self._held:
            self._held.discard(host)
            self.frontier.rest(host, now)

    def requeue(self, id_: int) -> None:
        """Ask for a URL again later."""
        self.graph.state[id_] = QUEUED
        self.rank(np.array([id_]))

    def exclude(self, id_: int, reason: str) -> None:
        """Never ask for a URL, queued or not, and say why."""
        self._drop(np.array([id_]), reason)

    def targets(self, id_: int, page: Page | None, redirect: str) -> NDArray[np.intp]:
        """The ids of what a page links to; what is new is put under the rules of scope."""
        depth, known = self.graph.depth.item(id_), len(self.graph)
        if redirect:
            found = [redirect]
        else:
            assert page is not None
            depth += 1
            found = [link.url for link in page.links]
        targets = self.graph.intern(found, depth) if found else NO_LINKS
        self.bounds.apply_scope(range(known, len(self.graph)), depth)
        if page and self._settings.resources and not redirect:
            self._enter_resources(page, targets, known)
        if len(self.graph) > known:
            self.bounds.refuse_endless(
                {id_: url for id_, url in zip(targets.tolist(), found, strict=True) if id_ >= known}
            )
        if self._settings.depth is not None:
            self._bring_nearer(self.bounds.brought_nearer(targets))
        if redirect and not depth:
            self._nearer += targets.tolist()  # now it is a seed, and comes before everything
        return targets

    def _enter_resources(self, page: Page, targets: NDArray[np.intp], known: int) -> None:
        new, pages = self.resources.enter(page, targets, known)
        self._nearer += new
        self.bounds.looked_at_again(pages)
        self._bring_nearer(pages)

    def _bring_nearer(self, ids: list[int]) -> None:
        self.changed += ids
        self._nearer += ids

    def close(self, host: int, reason: str) -> None:
        """Ask a host no more; its URLs are excluded as their turns come."""
        self._blocking.close(host, reason)

    @property
    def blocked(self) -> list[str]:
        """The hosts that are never asked because somebody said so."""
        return self._blocking.hosts

    def block(self, host: str) -> int:
        """Leave a host out for good; how many queued URLs that leaves out."""
        ids = self._blocking.block(host)
        self._drop(ids, BLOCKED)
        return len(ids)

    def has_blocked(self, host: str) -> bool:
        """Whether URLs of a host are left out because it was blocked."""
        return bool(self._blocking.left_out(host))

    def unblock(self, host: str) -> int:
        """Take a host in again; how many URLs are queued by that."""
        self.changed += self.bounds.looked_at_again(self._blocking.unblock(host))
        ids = self._blocking.queued(host)
        self.rank(ids)
        return len(ids)

    def ranking(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """All that may be fetched, and the scores that decide: the URL's times its host's weight."""
        ids, scores = self.frontier.queued()
        return ids, scores * self.frontier.weights(len(self.graph.hosts))[self.graph.host[ids]]

    def reconsider(self, reasons: Collection[str]) -> None:
        """Look again at what is queued, and at what was excluded for a reason that may no longer hold."""
        self.changed += self.bounds.reconsidered(reasons)

    def enter(self, visit: Visit) -> None:
        """Enter a visit in the graph: the same way when it happens and when a stored one is replayed."""
        if visit.flag in RESOURCES:
            self.graph.record_beside(visit.id)
            self.resources.visited(visit)
        elif visit.error == "redirect":
            target = int(visit.targets[0])
            self.graph.record_redirect(visit.id, target)
            self._hopped(target, self.redirects.enter(visit.id, target))
        else:
            targets = self.resources.without(visit).targets
            self.graph.record(visit.id, targets, visit.relevance, visit.relevant)
            if visit.refreshes >= 0:
                self._hopped(visit.refreshes, self.redirects.hop(visit.id, visit.refreshes))
        self._first_waiting.discard(visit.id)
        failed = visit.error not in NOT_FAILED
        self.graph.mark(visit.id, FAILED if failed else DONE, visit.error if failed else "")
        host = self.graph.host.item(visit.id)
        if visit.error != "redirect" and visit.flag not in RESOURCES:
            self.bounds.visited(visit)
        self._asked[host] += visit.flag not in BESIDE
        self.last_asked[host] = visit.started

    def _hopped(self, target: int, too_often: bool) -> None:
        if too_often and self.graph.state[target] == QUEUED:
            self.exclude(target, "redirect_chain")

    def learn(self, visit: Visit) -> str:
        """Let the strategy learn and re-rank what it names; a reason to stop, where it gives one."""
        lesson = self.lesson_of(visit)
        if self._nearer:  # to the strategy they may look as they did before
            self.rank(np.array(self._nearer))
            self._nearer.clear()
        return self._apply(lesson, self.graph.links_from(visit.id) if lesson.links else NO_LINKS)

    def lesson_of(self, visit: Visit) -> Lesson:
        """What the strategy learns from a visit that is entered."""
        return Lesson() if visit.flag in RESOURCES else self.strategy.learn(self.resources.without(visit))

    def enter_found(self, found: Sequence[str]) -> NDArray[np.intp]:
        """The ids of what a search found; what is new counts as one link away from the seeds."""
        known = len(self.graph)
        ids = self.graph.intern(found, 1) if found else NO_LINKS
        self.bounds.apply_scope(range(known, len(self.graph)), 1)
        return ids

    def found(self, query: str, ids: Ids) -> str:
        """Let the strategy learn what a search brought."""
        return self._apply(self.strategy.found(query, ids), np.unique(ids))

    def idle(self) -> tuple[bool, str]:
        """Ask the strategy what to do when nothing is left: whether it did something, and a reason to stop."""
        lesson = self.strategy.idle()
        busy = lesson.everything or len(lesson.ids) or lesson.propose or lesson.search
        return bool(busy), self._apply(lesson, NO_LINKS)

    def _apply(self, lesson: Lesson, ids: Ids) -> str:
        self.weigh(lesson.hosts)
        for id_, reason in lesson.exclude:
            self.exclude(id_, reason)
        self.questions += lesson.search
        self.not_kept += lesson.not_kept.tolist()
        if lesson.everything:
            ids = self.graph.queued()
        elif not lesson.links:
            ids = lesson.ids
        elif len(lesson.ids):
            ids = np.union1d(lesson.ids, ids)
        if lesson.propose:
            ids = np.union1d(ids, self._proposed(lesson.propose))
        self.rank(ids)
        limit = self._settings.max_queue
        waiting = len(self._first_waiting)  # they do not count
        if limit and len(self.frontier) - waiting > 1.25 * limit:
            self._truncate(limit + waiting)
        return lesson.stop

    def _proposed(self, found: Iterable[str]) -> NDArray[np.intp]:
        return self.enter_found(normalized_seeds(found))

    def rank(self, ids: Ids) -> None:
        """Score queued URLs; seeds come before everything, and what is held back does not come at all."""
        if len(ids):
            ids = ids[self.graph.state[ids := ids.astype(np.intp, copy=False)] == QUEUED]
        if self.shut_origins:
            ids = self.shut_origins.not_held(ids)
        if not len(ids):
            return
        if self._hosts_weighed < len(self.graph.hosts):
            self.weigh(np.arange(self._hosts_weighed, len(self.graph.hosts)))
            self._hosts_weighed = len(self.graph.hosts)
        scores = self.strategy.score(ids)
        if np.count_nonzero(ahead := self._ahead(ids)):
            scores = np.where(ahead, np.float32(math.inf), scores)
        if np.count_nonzero(held := scores == HELD_BACK):
            self.frontier.drop(ids[held])
            ids, scores = ids[~held], scores[~held]
        self.frontier.push(ids, scores, self.graph.host[ids])

    def _ahead(self, ids: Ids) -> NDArray[np.bool_]:
        """Which URLs come before all others, whatever the strategy says of them."""
        ahead: NDArray[np.bool_] = self.graph.depth[ids] == 0
        if self._settings.resources:
            ahead |= np.array([bool(self.resources.kind(id_)) for id_ in ids.tolist()], np.bool_)
        if self._first:
            ahead |= np.array([id_ in self._first for id_ in ids.tolist()], np.bool_)
        return ahead

    @property
    def to_be_ranked(self) -> int:
        """How many queued URLs are held back only until the strategy learns from the latest visits."""
        ids = self.strategy.to_be_ranked
        return int(np.count_nonzero((self.graph.state[ids] == QUEUED) & ~self._ahead(ids)))

    def weigh(self, hosts: Ids) -> None:
        """Give hosts the weight the strategy sees in them."""
        if len(hosts):
            self.frontier.weigh(hosts, self.strategy.weight(hosts))

    def _truncate(self, keep: int) -> None:
        self._drop(self.frontier.worst(keep), "queue_full")

    def _drop(self, ids: Ids, reason: str) -> None:
        self.frontier.drop(ids)
        self.graph.mark(ids, EXCLUDED, reason)
        self.changed += ids.tolist()
        self._first_waiting.difference_update(ids.tolist())
