// The page: it reads a stream of what changed and draws it. All that came from the web is put in as text, never as
// markup; the token stays in this window and goes out in a header only.
"use strict";

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const HELD = 4000; // milliseconds that a list stands still after somebody pointed at it

const token = (() => {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token") || "";
})();

// -- small helps ---------------------------------------------------------------------------------------------------

function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-")) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

function shape(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

const whole = (number) => Math.round(number).toLocaleString("en");
const percent = (share) => (100 * share).toFixed(1) + " %";
const short = (number) => Number(number.toPrecision(3)).toString();

function duration(seconds) {
  if (seconds < 90) return Math.round(seconds) + " s";
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? minutes + " min" : Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}

function size(bytes) {
  return bytes < 1e6 ? short(bytes / 1e3) + " kB" : bytes < 1e9 ? short(bytes / 1e6) + " MB" : short(bytes / 1e9) + " GB";
}

function show(id, visible) {
  byId(id).hidden = !visible;
}

function tell(id, text) {
  byId(id).textContent = text;
  show(id, Boolean(text));
}

// -- talking to the server -----------------------------------------------------------------------------------------

const headers = { Authorization: "Bearer " + token };

async function act(action, given = {}) {
  try {
    const answer = await fetch("api/" + action, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(given),
    });
    const told = answer.headers.get("Content-Type").startsWith("application/json") ? await answer.json() : {};
    tell("trouble", answer.ok ? "" : told.error || "The server said " + answer.status);
    return answer.ok;
  } catch {
    tell("trouble", "The server cannot be reached.");
    return false;
  }
}

const NOT_CONNECTED = "not connected";
let silent = ""; // why nothing can be asked of the server, in a word; it is shown in the place of the phase

// What can no longer be done is not offered any more.
function fallSilent(why) {
  silent = why;
  byId("phase").textContent = why;
  byId("phase").className = "phase";
  for (const name of ["state", "unseen", "books", ...Object.keys(LISTS)]) waiting.add(name);
  draw();
}

async function listen() {
  let pause = 500;
  for (;;) {
    try {
      const answer = await fetch("api/events", { headers });
      if (answer.status === 401 || answer.status === 403) {
        tell("trouble", "Open the address that honeyguide printed: it ends with #token=…");
        fallSilent("locked");
        return;
      }
      if (!answer.ok) throw new Error(String(answer.status));
      pause = 500;
      silent = "";
      take({ unseen: "" });
      await read(answer.body.getReader());
    } catch {
      // told below: the stream ended either way
    }
    if (latest.state && latest.state.phase === "resting" && latest.about.steered) {
      fallSilent("ended");
      return;
    }
    fallSilent(NOT_CONNECTED);
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(2 * pause, 10000);
  }
}

async function read(reader) {
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) if (event.startsWith("data: ")) take(JSON.parse(event.slice(6)));
  }
}

// -- what is drawn, and when ---------------------------------------------------------------------------------------

const latest = { unseen: "" };
const waiting = new Set();
const touched = {};
const LISTS = { next: "next-section", hosts: "hosts-section", unsure: "unsure-section", pages: "pages-section" };

for (const [name, id] of Object.entries(LISTS)) {
  for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"]) {
    byId(id).addEventListener(kind, () => (touched[name] = Date.now()), { passive: true });
  }
}

function take(news) {
  Object.assign(latest, news);
  for (const name of Object.keys(news)) waiting.add(name);
  if (news.state) for (const name of Object.keys(LISTS)) waiting.add(name); // what may be done there may have changed
  draw();
}

// One part a frame, so that the page answers in between.
let drawing = false;

function draw() {
  if (drawing) return;
  const held = (name) => name in LISTS && Date.now() - (touched[name] || 0) < HELD; // nothing moves under a pointer
  const name = [...waiting].find((each) => !held(each));
  if (name === undefined) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    waiting.delete(name);
    if (DRAWN[name] && latest[name] !== undefined) DRAWN[name](latest[name]);
    draw();
  });
}
setInterval(draw, 1000);

function release(name) {
  touched[name] = 0;
}

const PHASES = {
  starting: "starting", running: "running", paused: "paused", stopping: "stopping", judging: "judging anew",
  resting: "not running", following: "following", ended: "ended",
};

const DRAWN = {
  about(about) {
    byId("topic").textContent = about.topic;
    document.title = "honeyguide: " + about.topic;
    const first = about.first_topic ? "asked for " + about.first_topic : "";
    byId("about").textContent = [about.strategy, about.directory, first].filter(Boolean).join(" · ");
  },

  state(state) {
    const phase = byId("phase");
    phase.textContent = silent || PHASES[state.phase];
    phase.className = "phase " + (silent ? "" : state.phase);
    show("pause", !silent && state.phase === "running");
    show("resume", !silent && state.phase === "paused");
    show("stop", !silent && ["starting", "running", "paused"].includes(state.phase));
    show("more", !silent && state.phase === "resting" && !latest.about.steered);
    const ended = state.phase === "resting" && latest.about.steered;
    const last = ended && latest.about.directory ? "The crawl has ended. Look at it, mark pages and go on with: honeyguide dashboard " + latest.about.directory : "";
    tell("note", [state.note && state.note[0].toUpperCase() + state.note.slice(1) + ".", last].filter(Boolean).join(" "));
    const lesson = ended ? null : state.lesson;
    byId("lesson").textContent = lesson ? lessonTold(lesson) : "";
    show("learn", lesson && lesson.new && !["training", "judging"].includes(lesson.state) && steerable());
    show("unsure-section", state.markable);
  },

  unseen(text) {
    const told = silent === NOT_CONNECTED ? "honeyguide does not answer: all this is as it was when it last did" : text;
    tell("unseen", told && told[0].toUpperCase() + told.slice(1) + ".");
  },

  figures(f) {
    const box = (value, label) => el("div", {}, el("b", { textContent: value }), el("span", { textContent: label }));
    byId("figures").replaceChildren(
      ...[
        box(whole(f.relevant), "relevant pages"),
        box(whole(f.fetched), "of " + whole(f.pages) + " pages asked for"),
        box(percent(f.harvest), "harvest; " + percent(f.now) + " of late"),
        box(short(f.speed), "pages/s"),
        f.queued === undefined ? "" : box(whole(f.queued), "in the frontier, of " + whole(f.hosts) + " hosts"),
        f.busy === undefined ? "" : box(whole(f.busy), "hosts busy"),
        f.bytes === undefined ? "" : box(size(f.bytes), "received"),
        f.left ? box(duration(Math.max(f.left, 0)), "left") : "",
        f.ahead ? box(whole(f.ahead.expected), "relevant expected of the next " + whole(f.ahead.fetches) + " (" + whole(f.ahead.low) + " to " + whole(f.ahead.high) + ")") : "",
      ].filter(Boolean),
    );
  },

  queue_note(text) {
    for (const place of document.querySelectorAll(".queue-note")) place.textContent = text[0].toUpperCase() + text.slice(1) + ".";
  },

  curve(points) {
    const [asked, found] = points[points.length - 1];
    const right = Math.max(asked, 1), top = Math.max(found, 1);
    const left = 13 + 11 * Math.max(...steps(top).map((step) => whole(step).length)); // room for numbers, a phone's too
    const x = (n) => left + ((630 - left) * n) / right, y = (n) => 255 - (242 * n) / top;
    const parts = [];
    for (const step of steps(top)) {
      parts.push(shape("line", { class: "grid", x1: left, x2: 630, y1: y(step), y2: y(step) }));
      parts.push(shape("text", { x: left - 6, y: y(step) + 4, "text-anchor": "end" }, whole(step)));
    }
    for (const step of steps(right)) parts.push(shape("text", { x: x(step), y: 275, "text-anchor": step > 0.93 * right ? "end" : "middle" }, whole(step)));
    const ideal = Math.min(right, top);
    parts.push(shape("line", { class: "perfect", x1: x(0), y1: y(0), x2: x(ideal), y2: y(ideal) }));
    parts.push(shape("polyline", { class: "lift", points: points.map(([a, b]) => x(a).toFixed(1) + "," + y(b).toFixed(1)).join(" ") }));
    byId("curve").replaceChildren(...parts);
  },

  speed(counts) {
    bars("speed", counts, Math.max(1, ...counts), 60, (n) => n, (i) => counts.length - i + " s ago: " + whole(counts[i]) + " pages", [
      ["start", "60 s ago"],
      ["end", "now"],
    ]);
  },

  frontier(f) {
    const log = (n) => Math.log1p(n), highest = Math.max(1, ...f.counts), width = (f.high - f.low) / (f.counts.length || 1);
    const about = (i) => "score " + short(f.low + i * width) + " to " + short(f.low + (i + 1) * width) + ": " + whole(f.counts[i]) + " URLs";
    bars("frontier", f.counts, log(highest), f.counts.length || 1, log, about, [
      ["start", short(f.low)],
      ["end", short(f.high)],
    ]);
    const ahead = f.first ? " " + whole(f.first) + " go before all scores: seeds and the like." : "";
    byId("frontier-note").textContent = f.counts.length
      ? "Queued URLs by score, the best on the right; heights are logarithmic, the tallest bar is " + whole(highest) + " URLs." + ahead
      : "Nothing with a score is queued." + ahead;
  },

  next: (rows) => fill("next", rows, nextRow, "Nothing is queued."),
  hosts: (rows) => fill("hosts", rows, hostRow, "No host with something queued has to wait."),
  unsure: (rows) => fill("unsure", rows, (row) => pageRow(row, true), "No page to ask about yet."),
  pages: (rows) => fill("pages", rows, (row) => pageRow(row, false), "No page yet."),

  books(books) {
    const line = (name, count, kind, th) =>
      el("tr", { className: kind }, el("th", { scope: "row", className: th, textContent: name }), el("td", { textContent: whole(count || 0) }));
    const lines = [];
    for (const state of ["done", "failed", "excluded", "queued"]) {
      lines.push(line(state, books[state], "whole", ""));
      const inside = state === "done" ? books.flags : books.reasons[state] || {};
      for (const [reason, count] of Object.entries(inside)) {
        lines.push(line((state === "done" ? "not counted: " : "") + reason.replaceAll("_", " "), count, "", "under"));
      }
    }
    byId("books").replaceChildren(el("tbody", {}, ...lines));
    const names = books.blocked.map((host) =>
      el("li", { className: "row" }, el("span", { className: "what", textContent: host }), silent ? null : button("Unblock", () => act("unblock", { host }))),
    );
    byId("blocked").replaceChildren(...(names.length ? [el("h2", { textContent: "Blocked hosts" }), el("ul", { className: "plain" }, ...names)] : []));
  },
};

function lessonTold(lesson) {
  const marks = (n) => whole(n) + " new mark" + (n === 1 ? "" : "s");
  if (lesson.state === "training") return "A classifier learns from your marks; the crawl need not wait.";
  if (lesson.state === "judging") return "What was learned judges the stored pages: " + whole(lesson.judged) + " so far.";
  if (lesson.state === "due") return "It learns from " + marks(lesson.new) + " shortly after the last one.";
  const few = lesson.on < lesson.needed || lesson.off < lesson.needed;
  const sofar = lesson.on || lesson.off ? "; so far " + whole(lesson.on) + " and " + whole(lesson.off) : "";
  if (few) return "It learns by itself once " + lesson.needed + " pages are marked on topic and " + lesson.needed + " off topic" + sofar + ".";
  return lesson.new ? marks(lesson.new) + " not learned from yet." : "It has learned from your " + whole(lesson.on + lesson.off) + " marks.";
}

// -- parts of it ---------------------------------------------------------------------------------------------------

function steps(most) {
  const rough = most / 6, unit = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough) || 1);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

function bars(id, counts, highest, places, height, about, marks) {
  const box = byId(id).viewBox.baseVal, base = box.height - 18, width = box.width / places;
  const parts = counts.map((count, i) => {
    const tall = count ? Math.max(1.5, ((base - 4) * height(count)) / highest) : 0;
    const left = (places - counts.length + i) * width;
    const bar = shape("rect", { class: "bar", x: left.toFixed(1), y: (base - tall).toFixed(1), width: Math.max(width - 1, 1).toFixed(1), height: tall.toFixed(1) });
    bar.append(shape("title", {}, about(i)));
    return bar;
  });
  parts.push(shape("line", { class: "grid", x1: 0, x2: box.width, y1: base, y2: base }));
  for (const [anchor, text] of marks) {
    parts.push(shape("text", { x: anchor === "start" ? 0 : box.width, y: box.height - 4, "text-anchor": anchor }, text));
  }
  byId(id).replaceChildren(...parts);
}

// The rows of a list: those that are there already stay, so that little is drawn when a page comes in.
function fill(id, rows, make, otherwise) {
  const list = byId(id), before = list.rows || new Map(), after = new Map();
  const may = [steerable(), markable()];
  let place = list.firstChild;
  for (const [number, row] of rows.length ? rows.entries() : [[0, null]]) {
    const key = JSON.stringify([row, may, make === nextRow && number === 0]);
    const made = before.get(key) || (row ? make(row, number) : el("li", { className: "soft", textContent: otherwise }));
    after.set(key, made);
    if (made === place) place = place.nextSibling;
    else list.insertBefore(made, place);
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    gone.remove();
  }
  list.rows = after;
}

function button(text, does, more = {}) {
  return el("button", { type: "button", className: "small", textContent: text, onclick: does, ...more });
}

// A link to a page of the web: it opens beside this one, which it learns nothing of.
function link(url, text) {
  if (!/^https?:\/\//.test(url)) return el("span", { textContent: text });
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer", textContent: text });
}

const steerable = () => !silent && ["running", "paused", "resting"].includes(latest.state && latest.state.phase);
const markable = () => !silent && latest.state && latest.state.markable;

function blockButton(host, list) {
  const made = button("Block", async () => {
    if (!made.classList.contains("sure")) {
      made.classList.add("sure");
      made.textContent = "Really block " + host + "?";
      setTimeout(unsure, HELD);
      return;
    }
    unsure();
    if (await act("block", { host })) release(list);
  });
  const unsure = () => {
    made.classList.remove("sure");
    made.textContent = "Block";
  };
  made.setAttribute("aria-label", "Block the host " + host);
  return steerable() ? made : null;
}

function hostRow(row) {
  const time = row.seconds === null ? "" : row.seconds < 0.1 ? "about to be asked" : "for " + duration(Math.ceil(row.seconds));
  return el(
    "li",
    { className: "row" },
    el("span", { className: "what" }, row.host, el("small", { textContent: row.why + (row.why && time ? ", " + time : "") })),
    el("span", { className: "number soft", textContent: whole(row.queued) + " queued" }),
    blockButton(row.host, "hosts"),
  );
}

function nextRow(row, place) {
  const lines = (texts) => el("ul", { className: "why" }, ...texts.map((text) => el("li", { textContent: text })));
  let reasons;
  if (place === 0) reasons = lines(row.why);
  else {
    reasons = el("details", {}, el("summary", { textContent: "why?" }));
    reasons.addEventListener("toggle", async () => {
      if (!reasons.open || reasons.childElementCount > 1) return;
      const answer = await fetch("api/why/" + row.id, { headers });
      reasons.append(lines(answer.ok ? (await answer.json()).why : ["It is no longer known why."]));
    });
  }
  return el(
    "li",
    { className: "row" },
    el("span", { className: "score number" }, row.score, row.is_next ? el("small", { textContent: "next" }) : ""),
    el("span", { className: "what" }, link(row.url, row.url), row.waits ? el("small", { textContent: "waits: " + row.waits }) : "", reasons),
  );
}

function verdict(row) {
  if (row.error) return ["failed", row.error === "redirect" ? "redirect" : row.error.replaceAll("_", " ")];
  if (row.flag) return ["", "not counted: " + row.flag.replaceAll("_", " ")];
  return row.relevant ? ["relevant", "relevant " + row.relevance.toFixed(2)] : ["", "not relevant " + row.relevance.toFixed(2)];
}

function pageRow(row, asked) {
  const [kind, text] = verdict(row);
  const list = asked ? "unsure" : "pages";
  const mark = async (relevant) => {
    if (await act("mark", { id: row.id, relevant })) release(list);
  };
  const doings = el("span", { className: "do" });
  if (row.judged && markable()) {
    const choice = (name, relevant) =>
      button(name, () => mark(relevant), { className: row.mark === relevant ? "small chosen" : "small", "aria-label": name + ": " + (row.title || row.url) });
    if (asked) doings.append(choice("On topic", true), choice("Off topic", false));
    else doings.append(choice("Right", row.relevant), choice("Wrong", !row.relevant));
  }
  if (!asked) doings.append(...[blockButton(row.host, list)].filter(Boolean));
  const marked = row.mark === null ? "" : el("small", { textContent: "you: " + (row.mark ? "on topic" : "off topic") });
  return el(
    "li",
    { className: "row", title: row.detail },
    el("span", { className: "verdict" }, el("span", { className: "chip " + kind, textContent: text })),
    el("span", { className: "what" }, link(row.url, row.title || "(no title)"), el("small", { textContent: row.url }), marked),
    doings,
  );
}

// -- begin ---------------------------------------------------------------------------------------------------------

for (const action of ["pause", "resume", "stop"]) byId(action).addEventListener("click", () => act(action));
byId("learn").addEventListener("click", () => act("learn"));
byId("more").addEventListener("submit", (event) => {
  event.preventDefault();
  act("go_on", { pages: Number(byId("more-pages").value) });
});
addEventListener("hashchange", () => location.reload()); // another address was pasted into this window
if (token) listen();
else {
  byId("phase").textContent = "locked";
  tell("trouble", "Open the address that honeyguide printed: it ends with #token=…");
}
