"use strict";
/* common.js: elements, numbers and the table that sorts, for report.html and index.html. */
const byId = id => document.getElementById(id);

/* What stands behind # in the address; nothing, if it was cut or is broken. */
function asked() {
  try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; }
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/* Three digits, as the tables of the card have them. */
function number(x) {
  const text = x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x >= 0.1 ? x.toFixed(2) : x.toPrecision(2);
  return text.replace(/^(\d+)(\d{3})(?=$|\.)/, "$1\u202f$2");
}
const count = n => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const percent = x => (100 * x).toFixed(x < 0.1 ? 1 : 0) + " %";
function sizeText(n) {
  if (n >= 1 << 20 && n % (1 << 20) === 0) return (n >> 20) + "M";
  if (n >= 1024 && n % 1024 === 0) return n / 1024 + "K";
  return n >= 1e6 && n % 1e6 === 0 ? n / 1e6 + "e6" : n >= 1000 && n % 1000 === 0 ? n / 1000 + "k" : String(n);
}

/* The words near a mark, for the mouse and for whoever walks by keyboard. */
function tips(node, text) {
  const tip = byId("tip");
  const show = () => {
    const box = node.getBoundingClientRect();
    tip.textContent = text;
    tip.hidden = false;
    const left = Math.min(Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = left + "px";
    tip.style.top = (above > 4 ? above : box.bottom + 8) + "px";
  };
  const hide = () => { tip.hidden = true; };
  node.addEventListener("mouseenter", show);
  node.addEventListener("mouseleave", hide);
  node.addEventListener("focus", show);
  node.addEventListener("blur", hide);
  return node;
}

/* columns: [{name, value(row), cell(row), left}]; cells are text or nodes. Returns a function that shows rows. */
function sortable(head, body, columns, start) {
  let by = start === undefined ? -1 : start, down = false, rows = [], attributes = () => ({});
  const cells = columns.map((column, i) => make("th", {scope: "col", class: column.left ? "left" : null},
    make("button", {type: "button", onclick: () => { down = by === i ? !down : !columns[i].left; by = i; show(); }}, column.name)));
  head.replaceChildren(...cells);
  function show() {
    cells.forEach((cell, i) => i === by ? cell.setAttribute("aria-sort", down ? "descending" : "ascending")
      : cell.removeAttribute("aria-sort"));
    const sorted = rows.slice();
    if (by >= 0) {
      const value = columns[by].value, empty = x => x === null || x === undefined;
      sorted.sort((a, b) => {
        const x = value(a), y = value(b);
        if (empty(x) || empty(y)) return empty(x) - empty(y);
        return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
      });
    }
    body.replaceChildren(...sorted.map(row => make("tr", attributes(row), columns.map(column =>
      make("td", {class: [column.left ? "left" : "", column.tone ? column.tone(row) : ""].join(" ").trim() || null}, column.cell(row))))));
  }
  return (newRows, rowAttributes) => { rows = newRows; attributes = rowAttributes || attributes; show(); };
}
