"use strict";
// All that comes from a crawl is put into the page by textContent, and by nothing else.

const settings = JSON.parse(document.getElementById("settings").textContent);
const labels = [["correct", "1"], ["incorrect", "2"], ["undecided", "3"]];
const meanings = settings.labels;
const names = new Map(settings.reasons.map((reason) => [reason.code, reason.name]));
const byKey = new Map(settings.reasons.map((reason) => [reason.key, reason]));
const byCode = new Map(settings.reasons.map((reason) => [reason.code, reason]));
const at = (id) => document.getElementById(id);

let state = { total: 0, labelled: 0, next: null };
let pair = null;
let chosen = { label: null, reasons: new Set() };
let current = -1;
// What was asked for ahead of time, by number.
const ready = new Map();

// ---- Talking to the server

async function ask(path, body) {
  const how = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, { ...how, credentials: "omit", cache: "no-store" });
  } catch {
    throw new Error("the server does not answer; start webecho label again");
  }
  const values = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(values.error || `the server says ${answer.status}`);
  return values;
}

function fetched(number) {
  if (!ready.has(number)) {
    const asked = ask(`pair/${number}`);
    asked.catch(() => ready.delete(number));
    ready.set(number, asked);
    if (ready.size > 8) ready.delete(ready.keys().next().value);
  }
  return ready.get(number);
}

// One thing at a time, in the order of the keys: nothing is said of a pair that is not shown.
let line = Promise.resolve();
function inOrder(work) {
  line = line.then(work).catch((error) => say(error.message, true));
  return line;
}

// ---- Showing

function say(text, bad = false) {
  at("status").textContent = text;
  at("status").classList.toggle("bad", bad);
}

function made(tag, kind, text) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  return element;
}

function count(number, word) {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}

function showState() {
  at("bar").max = Math.max(state.total, 1);
  at("bar").value = state.labelled;
  const here = pair ? `pair ${pair.number} of ${state.total}` : "no pairs";
  at("progress").textContent = `${here} · ${state.labelled} labelled`;
  at("labeller").textContent = state.labeller;
}

function segment(side, each) {
  if (each.gap) return gap(side, each);
  if (each.change === undefined) return made("span", each.odd ? "odd" : "", each.text);
  const kinds = ["change", each.odd && "odd", each.image && "image", each.absent && "absent"];
  const element = made("span", kinds.filter(Boolean).join(" "), each.absent ? "‸" : each.text);
  if (each.image) element.prepend("▣ ");
  element.dataset.change = each.change;
  return element;
}

function gap(side, each) {
  const [start, end] = each.gap;
  const hidden = each.changes ? `, ${count(each.changes, "difference")}` : "";
  const button = made("button", "gap", `… ${count(end - start, "character")} more${hidden} …`);
  button.type = "button";
  button.addEventListener("click", () => inOrder(() => widen(side, button, start, end)));
  return button;
}

async function widen(side, button, start, end) {
  const stop = Math.min(end, start + 20000);
  const found = await ask(`pair/${pair.number}/${side}?start=${start}&end=${stop}`);
  const parts = found.segments.map((each) => segment(side, each));
  if (stop < end) parts.push(gap(side, { gap: [stop, end], changes: 0 }));
  button.replaceWith(...parts);
}

// A link is opened by intent alone, and elsewhere: with Ctrl, ⌘, Shift or the middle button. It tells
// nobody where it was opened from.
function link(url) {
  const element = document.createElement("a");
  element.href = url;
  element.target = "_blank";
  element.rel = "noopener noreferrer";
  element.referrerPolicy = "no-referrer";
  element.draggable = false;
  element.title = "Ctrl-click (⌘-click on a Mac) opens the page as it is today in another tab";
  element.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    say("not opened: Ctrl-click or ⌘-click opens the page in another tab");
  });
  return element;
}

// An address with what the other one has not in that place marked.
function address(heading, own, other, url) {
  const element = url === null ? heading : link(url);
  heading.replaceChildren(...(url === null ? [] : [element]));
  if (own === null) return void element.append(made("span", "facts", "no address"));
  let start = 0;
  let end = 0;
  const least = other === null ? 0 : Math.min(own.length, other.length);
  while (start < least && own[start] === other[start]) start += 1;
  while (end < least - start && own[own.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  if (other === null) start = own.length;
  const last = own.length - end;
  element.append(own.slice(0, start), made("mark", "", own.slice(start, last)), own.slice(last));
}

function showSide(side, other) {
  const section = at(side);
  const shown = pair[side];
  address(section.querySelector(".url"), shown.url, pair[other].url, shown.link);
  const facts = [`page #${shown.page}`, shown.id === null ? "" : `id ${shown.id}`];
  facts.push(shown.gone ? "" : `${count(shown.words, "word")}, ${count(pair.changes, "difference")}`);
  section.querySelector(".facts").textContent = facts.filter(Boolean).join(" · ");
  const text = section.querySelector(".text");
  if (shown.gone) text.replaceChildren(made("p", "gone", `This page cannot be shown: ${shown.gone}`));
  else text.replaceChildren(...shown.segments.map((each) => segment(side, each)));
  text.scrollTop = 0;
}

async function show(number) {
  pair = await fetched(number);
  showSide("left", "right");
  showSide("right", "left");
  const from = pair.said || pair.guess || { label: null, reasons: [] };
  chosen = { label: from.label, reasons: new Set(from.reasons) };
  at("note").value = pair.said ? pair.said.note : "";
  at("guess").textContent = pair.said ? `your label: ${pair.said.label}` : guessed(pair.guess);
  showChosen();
  showState();
  current = -1;
  step(1);
  document.body.dataset.number = number;
  const next = state.next === number ? number + 1 : state.next;
  if (next !== null && next <= state.total) fetched(next);
}

function guessed(guess) {
  if (guess === null) return "";
  const told = guess.reasons.map((code) => names.get(code)).join(", ");
  return `guess: ${guess.label}${told ? ` (${told})` : ""}`;
}

function showChosen() {
  for (const button of document.querySelectorAll("[data-label]")) {
    button.setAttribute("aria-pressed", button.dataset.label === chosen.label);
  }
  for (const button of document.querySelectorAll("[data-reason]")) {
    button.setAttribute("aria-pressed", chosen.reasons.has(button.dataset.reason));
  }
}

// ---- Doing

function fits(code, label) {
  const reason = byCode.get(code);
  return reason.label === null || reason.label === label;
}

function toggle(code) {
  const label = byCode.get(code).label;
  if (chosen.reasons.delete(code)) return showChosen();
  if (label !== null && label !== chosen.label) chosen.label = label;
  chosen.reasons = new Set([...chosen.reasons].filter((each) => fits(each, chosen.label)));
  chosen.reasons.add(code);
  showChosen();
}

async function commit(label) {
  if (!pair) return;
  if (label === null) throw new Error("choose a label first");
  const reasons = [...chosen.reasons].filter((code) => fits(code, label));
  if (label === "incorrect" && reasons.length === 0) reasons.push("main-item");
  const number = pair.number;
  say("saving …");
  let answer;
  try {
    answer = await ask("label", { number, label, reasons, note: at("note").value });
  } catch (error) {
    throw new Error(`NOT SAVED: ${error.message}`);
  }
  state = answer;
  ready.delete(number);
  const why = reasons.map((code) => names.get(code)).join(", ");
  const told = `saved: pair ${number} is ${label}${why ? ` (${why})` : ""}`;
  if (state.next === null) {
    say(`${told}. All pairs are labelled.`);
    await show(number);
  } else {
    await show(state.next);
    say(told);
  }
}

async function undo() {
  const answer = await ask("undo", {});
  state = answer;
  if (answer.undone === null) return say("there is nothing to undo");
  ready.delete(answer.undone);
  await show(answer.undone);
  say(`undone: pair ${answer.undone}`);
}

async function go(number) {
  if (number >= 1 && number <= state.total) {
    say("");
    await show(number);
  }
}

// To the next difference that is shown, on both sides.
function step(by) {
  const shown = new Set();
  for (const each of document.querySelectorAll(".change")) shown.add(Number(each.dataset.change));
  const numbers = [...shown].sort((one, other) => one - other);
  if (numbers.length === 0) return;
  const place = numbers.findIndex((number) => number >= current);
  let next = by > 0 ? numbers.findIndex((number) => number > current) : place - 1;
  if (next < 0) next = by > 0 ? numbers.length - 1 : 0;
  const first = current < 0;
  current = numbers[next];
  for (const old of document.querySelectorAll(".current")) old.classList.remove("current");
  for (const side of ["left", "right"]) {
    const parts = document.querySelectorAll(`#${side} [data-change="${current}"]`);
    for (const each of parts) each.classList.add("current");
    const text = at(side).querySelector(".text");
    if (!parts.length) continue;
    const top = parts[0].offsetTop - text.clientHeight / 3;
    // At first the top of a page says what it is about, unless the difference is out of sight.
    if (!first || parts[0].offsetTop > text.clientHeight * 0.8) text.scrollTop = Math.max(0, top);
  }
}

function more() {
  for (const side of ["left", "right"]) at(side).querySelector(".gap")?.click();
}

const actions = new Map([
  ["Enter", () => inOrder(() => commit(chosen.label))],
  ["1", () => inOrder(() => commit("correct"))],
  ["2", () => inOrder(() => commit("incorrect"))],
  ["3", () => inOrder(() => commit("undecided"))],
  ["z", () => inOrder(undo)],
  ["ArrowRight", () => inOrder(() => go(pair.number + 1))],
  ["ArrowLeft", () => inOrder(() => go(pair.number - 1))],
  ["g", () => inOrder(() => go(state.next ?? state.total))],
  ["j", () => inOrder(() => step(1))],
  ["k", () => inOrder(() => step(-1))],
  ["+", () => more()],
  ["w", () => inOrder(() => at("note").focus())],
  ["?", () => explain(at("meanings").hidden)],
  ["Escape", () => explain(false)],
]);

function explain(shown) {
  at("meanings").hidden = !shown;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === at("note")) {
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      at("note").blur();
    }
    return;
  }
  // A button or link that was reached by Tab is pressed by Enter and the space bar as ever.
  if (event.target.closest("button, a") && (event.key === "Enter" || event.key === " ")) return;
  const reason = byKey.get(event.key);
  const action = reason ? () => inOrder(() => toggle(reason.code)) : actions.get(event.key);
  if (!action || event.repeat && !["j", "k"].includes(event.key)) return;
  event.preventDefault();
  action();
});

// ---- Beginning

const keys = [
  ["Enter", "save what is chosen"], ["1 2 3", "save as"], ["z", "undo"],
  ["j k", "next, previous difference"], ["+", "more text"], ["← →", "other pairs"],
  ["g", "first without label"], ["w", "note"], ["?", "what labels, reasons and keys mean"],
];

function key(name, text) {
  const element = made("span");
  element.append(made("kbd", "", name), text);
  return element;
}

function button(kind, value, keyName, text, meaning, action) {
  const element = made("button");
  element.type = "button";
  element.title = `${text}: ${meaning}`;
  element.dataset[kind] = value;
  element.append(made("kbd", "", keyName), ` ${text}`);
  element.addEventListener("click", () => {
    element.blur();
    inOrder(action);
  });
  return element;
}

function meant(keyName, name, meaning) {
  const term = made("dt");
  term.append(made("kbd", "", keyName), ` ${name}`);
  return [term, made("dd", "", meaning)];
}

function begin() {
  for (const [label, name] of labels) {
    at("labels").append(button("label", label, name, label, meanings[label], () => commit(label)));
    at("meanings").append(...meant(name, label, meanings[label]));
  }
  for (const label of [...labels.map((each) => each[0]), null]) {
    const group = made("div", "group");
    group.append(made("span", "", label === null ? "any" : label));
    for (const { code, name, key: keyName, meaning } of settings.reasons.filter((each) => each.label === label)) {
      group.append(button("reason", code, keyName, name, meaning, () => toggle(code)));
      at("meanings").append(...meant(keyName, name, meaning));
    }
    at("reasons").append(group);
  }
  // A small window has room for the last one only.
  at("keys").append(...keys.map(([name, text]) => key(name, text)));
  at("meanings").append(...keys.flatMap(([name, text]) => meant(name, "", text)));
  at("note").maxLength = settings.note;
  inOrder(async () => {
    state = await ask("state");
    showState();
    if (state.total === 0) return say("the sample has no pairs", true);
    if (state.next === null) say("All pairs are labelled.");
    await show(state.next ?? state.total);
  });
}

begin();
