/* page.js: report.html. The data are rows as report_page.py lists them. */
const data = JSON.parse(byId("data").textContent);
const WORDS = {b: "others were busy while it ran", t: "the clock was low while it ran", a: "measured twice, the calmer run counts",
  S: "NOT THE SAME BITS as scalar"};
const OUT_OF_CACHE = 0.85, ENOUGH = 0.95;

const kernels = data.kernels.map(({id, rows}) => ({id, rows: rows.map(values => {
  const [who, n, rate, low, high, cycles, gb, process, flags, repetitions, vs, peer, share, bound] = values;
  const mark = [...flags.slice(1)];
  return {kernel: id, who, n, rate, low, high, cycles, gb, process, repetitions, vs, peer, share, bound, ours: flags[0] === "o",
    label: process === "avx2" && flags[0] === "m" ? who + " (AVX2)" : who, same: mark.includes("s"),
    disturbed: mark.includes("b") || mark.includes("t"), words: mark.filter(letter => WORDS[letter]).map(letter => WORDS[letter])};
})}));
const named = Object.fromEntries(kernels.map(kernel => [kernel.id, kernel]));
const everyRow = kernels.flatMap(kernel => kernel.rows);
const isRoof = id => id.startsWith("roof/"), isThreads = id => /_x\d+$/.test(id);
const shown = kernels.filter(kernel => !isRoof(kernel.id) && !isThreads(kernel.id));
const RANK = ["avx512", "avx2_vaes", "avx2_aesni", "plain", "scalar"];
const rank = who => RANK.includes(who) ? RANK.indexOf(who) : RANK.length;
const narrow = () => innerWidth < 760;

/* Our best instruction set among some rows. */
const bestOurs = rows => rows.filter(row => row.ours).sort((a, b) => rank(a.who) - rank(b.who))[0];
function usualSize(kernel) {
  const sizes = [...new Set(kernel.rows.map(row => row.n))].sort((a, b) => a - b);
  return sizes.includes(4096) ? 4096 : sizes.includes(100000) ? 100000 : sizes[sizes.length - 1];
}

/* The smallest batch that reaches 95 % of the best rate of our best instruction set, and where it falls again. */
function advice(kernel) {
  const best = bestOurs(kernel.rows);
  if (!best) return null;
  const line = kernel.rows.filter(row => row.who === best.who).sort((a, b) => a.n - b.n);
  if (line.length < 3) return null;
  const top = line.reduce((a, b) => b.rate > a.rate ? b : a);
  const least = line.find(row => row.rate >= ENOUGH * top.rate);
  return {who: best.who, top, least, falls: line.find(row => row.n > top.n && row.rate < OUT_OF_CACHE * top.rate)};
}

/* ---- headline ---- */
function tile(label, value, unit, below, href, first) {
  return make(href ? "a" : "div", {class: first ? "tile first" : "tile", href}, make("small", {}, label),
    make("b", {}, value, make("span", {class: "unit"}, unit ? " " + unit : "")), make("small", {}, below));
}
function headline() {
  const tiles = [], laplace = named["release/laplace"] && advice(named["release/laplace"]) ? "release/laplace" : "noise/laplace_f64";
  const first = named[laplace] ? laplace : (shown.find(kernel => advice(kernel)) || {}).id;
  const found = first && advice(named[first]);
  if (found) tiles.push(tile(first === laplace ? "Which batch size for Laplace?" : `Which batch size for ${first}?`, count(found.least.n), "or more",
    `${percent(found.least.rate / found.top.rate)} of the best rate, ${number(found.top.rate)} M/s; ${first}, ${found.who}`, "#" + first, true));
  for (const [label, what, n] of data.tiles) {
    const row = bestOurs(named[what].rows.filter(r => r.n === n));
    if (row) tiles.push(tile(label, number(row.rate), "M/s", row.vs ? `${row.vs.toFixed(2)}\u00d7 the best peer (${row.peer})` : row.who, "#" + what));
  }
  byId("tiles").replaceChildren(...tiles);
  const odd = everyRow.filter(row => row.disturbed).length, wrong = everyRow.filter(row => row.words.includes(WORDS.S)).length;
  const texts = [];
  if (data.partial) texts.push("Partial: the run was interrupted.");
  if (wrong) texts.push(`${wrong} rows do not have the bits of scalar.`);
  if (data.watched) texts.push(odd ? `${odd} of ${everyRow.length} rows were disturbed by others or by a lower clock; they are marked.`
    : `A quiet machine: none of ${everyRow.length} rows was disturbed.`);
  byId("state").textContent = texts.join(" ");
  byId("state").classList.toggle("bad", Boolean(data.partial || wrong || odd));
}

/* ---- one kernel ---- */
const on = {};   // which lines are shown, by name; what nobody has switched keeps its default
function seriesOf(kernel) {
  const lines = {};
  for (const row of kernel.rows) {
    if (row.process === "avx2" && !row.ours && kernel.rows.some(other => other.who === row.who && other.process === "all")) continue;
    (lines[row.who] = lines[row.who] || {who: row.who, ours: row.ours, rows: [], colour: colour(row.who)}).rows.push(row);
  }
  const all = Object.values(lines), mkl = all.filter(line => line.who.startsWith("mkl"));
  const strength = line => Math.max(...line.rows.map(row => row.rate));
  mkl.sort((a, b) => strength(b) - strength(a));
  mkl.slice(1).forEach(line => { line.colour = "var(--c-mkl2)"; });
  const usual = line => line.who !== "avx2_aesni" && line.who !== "scalar" && line.who !== "libm" && !mkl.slice(1).includes(line);
  all.forEach(line => { line.on = line.who in on ? on[line.who] : usual(line); });
  return all.sort((a, b) => b.ours - a.ours || rank(a.who) - rank(b.who) || strength(b) - strength(a));
}
function showLines(kernel) {
  const lines = seriesOf(kernel);
  rateChart(byId("rate"), lines.filter(line => line.on), `Rate of ${kernel.id} by batch size`, narrow());
  byId("series").replaceChildren(...lines.map(line => make("button", {type: "button", class: "chip", "aria-pressed": String(line.on),
    onclick: () => { on[line.who] = !line.on; showLines(kernel); [...byId("series").children].find(c => c.textContent === line.who).focus(); }},
    make("i", {style: `color:${line.colour}`}), line.who)));
}
function showBars(kernel) {
  const n = +byId("bar-size").value;
  const lines = new Set(seriesOf(kernel).flatMap(line => line.rows));
  barChart(byId("bars"), kernel.rows.filter(row => row.n === n && lines.has(row)), `${kernel.id} at n = ${n}`, narrow());
}
function showKernel(id) {
  const kernel = named[id];
  byId("kernel").value = id;
  const found = advice(kernel), best = bestOurs(kernel.rows);
  const parts = [];
  if (found) {
    parts.push(make("strong", {}, `Use batches of ${count(found.least.n)} or more`),
      ` for ${id}: the smallest measured that reaches 95 % of the best rate on ${found.who}, which is ${number(found.top.rate)} M/s at ${count(found.top.n)}.`);
    if (found.falls) parts.push(` From ${count(found.falls.n)} on it falls to ${number(found.falls.rate)} M/s: the outputs leave the cache.`);
  } else parts.push(best ? `${id} was measured at ${new Set(kernel.rows.map(row => row.n)).size} sizes only: too few to advise.` : `${id} has no row of ours.`);
  byId("answer").replaceChildren(...parts);
  const sizes = [...new Set(kernel.rows.map(row => row.n))].sort((a, b) => a - b), usual = usualSize(kernel);
  byId("bar-size").replaceChildren(...sizes.map(n => make("option", {value: n, selected: n === usual}, count(n))));
  showLines(kernel);
  showBars(kernel);
}

/* ---- all rows ---- */
const columns = [
  {name: "kernel", left: true, value: row => row.kernel, cell: row => make("a", {href: "#" + row.kernel}, row.kernel)},
  {name: "n", value: row => row.n, cell: row => count(row.n)},
  {name: "who", left: true, value: row => row.label, cell: row => row.label},
  {name: "M/s", value: row => row.rate, cell: row => number(row.rate)},
  {name: "\u00b1", value: row => (row.high - row.low) / row.rate, cell: row => percent((row.high - row.low) / 2 / row.rate), tone: () => "soft"},
  {name: "cycles", value: row => row.cycles, cell: row => number(row.cycles)},
  {name: "GB/s", value: row => row.gb, cell: row => number(row.gb)},
  {name: "vs peer", value: row => row.vs, cell: row => row.vs ? row.vs.toFixed(2) + "\u00d7" : "", tone: row => !row.vs ? "" : row.vs >= 1 ? "up" : "down"},
  {name: "best peer", left: true, value: row => row.peer, cell: row => row.peer || "", tone: () => "soft"},
  {name: "of bound", value: row => row.share, cell: row => row.share ? percent(row.share) : ""},
  {name: "notes", left: true, value: row => row.words.length || null, cell: row => row.words.join("; "), tone: () => "soft"},
];
const showTable = sortable(byId("columns"), byId("rows"), columns);
function filterTable() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const size = byId("size").value, everybody = byId("everybody").checked;
  const rows = kernels.flatMap(kernel => {
    const usual = usualSize(kernel), bests = everybody ? null : new Set([...new Set(kernel.rows.map(row => row.n))]
      .map(n => bestOurs(kernel.rows.filter(row => row.n === n)) || kernel.rows.find(row => row.n === n)));
    return kernel.rows.filter(row => (size === "all" || row.n === (size === "usual" ? usual : +size)) && (everybody || bests.has(row)) &&
      words.every(word => `${row.kernel}/${row.label}/${row.n}`.toLowerCase().includes(word)));
  });
  showTable(rows, row => ({"data-row": `${row.kernel}/${row.who}/${row.n}`, "data-process": row.process}));
  byId("count").textContent = `${count(rows.length)} of ${count(everyRow.length)} rows. M/s: million a second, median; \u00b1: half of the 95 % interval.`;
}

/* ---- the rest ---- */
function showRatios() {
  const lines = [];
  for (const kernel of shown) {
    const n = usualSize(kernel), here = kernel.rows.filter(row => row.ours && row.n === n && row.vs && row.who !== "scalar" && !row.who.startsWith("simdp"));
    const marks = ["avx512", "avx2"].map(isa => here.filter(row => row.who.startsWith(isa)).sort((a, b) => rank(a.who) - rank(b.who))[0])
      .filter(Boolean);
    if (marks.length) lines.push({name: kernel.id, n, marks});
  }
  ratioChart(byId("ratios"), lines.sort((a, b) => b.marks[0].vs - a.marks[0].vs), narrow());
}
function showBounds() {
  const rows = shown.map(kernel => bestOurs(kernel.rows.filter(row => row.n === usualSize(kernel)))).filter(row => row && row.share);
  shareChart(byId("bounds"), rows.sort((a, b) => b.share - a.share), narrow());
  const roofs = kernels.filter(kernel => isRoof(kernel.id)).flatMap(kernel => {
    const top = {};
    for (const row of kernel.rows) if (!top[row.who] || row.rate > top[row.who].rate) top[row.who] = row;
    return Object.values(top);
  });
  plainTable(byId("ceilings"), ["ceiling", "by", "n", "GB/s", "M/s"], roofs.map(row => [row.kernel, row.who, count(row.n), number(row.gb), number(row.rate)]),
    "No ceiling was measured in this run.");
}
function plainTable(place, head, lines, otherwise) {
  if (!lines.length) { place.replaceChildren(make("p", {class: "note"}, otherwise)); return; }
  place.replaceChildren(make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": head[0]}, make("table", {},
    make("thead", {}, make("tr", {}, head.map((text, i) => make("th", {scope: "col", class: i < 2 ? "left" : null}, text)))),
    make("tbody", {}, lines.map(cells => make("tr", {}, cells.map((text, i) => make("td", {class: i < 2 ? "left" : null}, text))))))));
}
function showThreads() {
  const lines = [];
  for (const kernel of kernels.filter(k => isThreads(k.id))) {
    const [, id, threads] = kernel.id.match(/^(.*)_x(\d+)$/);
    for (const n of [...new Set(kernel.rows.map(row => row.n))]) {
      const many = bestOurs(kernel.rows.filter(row => row.n === n));
      const single = many && named[id] && named[id].rows.find(row => row.n === n && row.who === many.who);
      if (single) lines.push([id, many.who, count(n), threads, number(single.rate), number(many.rate), (many.rate / single.rate).toFixed(2) + "\u00d7"]);
    }
  }
  plainTable(byId("threads-body"), ["kernel", "who", "n", "threads", "M/s, one", "M/s, all", "faster by"], lines,
    "This run had one thread only (--threads LIST asks for more).");
}

/* ---- beginning, and what the address asks for ---- */
function route(scroll) {
  const id = asked();
  if (!Object.hasOwn(named, id) || isRoof(id)) return;
  showKernel(id);
  if (scroll) byId("batch").scrollIntoView();
}
function begin() {
  headline();
  byId("kernel").replaceChildren(...shown.map(kernel => make("option", {value: kernel.id}, kernel.id)));
  byId("kernel").addEventListener("change", event => { history.replaceState(null, "", "#" + event.target.value); showKernel(event.target.value); });
  byId("bar-size").addEventListener("change", () => showBars(named[byId("kernel").value]));
  const sizes = [...new Set(everyRow.map(row => row.n))].sort((a, b) => a - b);
  byId("size").replaceChildren(make("option", {value: "usual"}, "usual"), make("option", {value: "all"}, "all"),
    ...sizes.map(n => make("option", {value: n}, count(n))));
  for (const id of ["filter", "size", "everybody"]) byId(id).addEventListener("input", filterTable);
  const first = ["release/laplace", "noise/laplace_f64"].find(id => named[id] && advice(named[id])) ||
    (shown.find(kernel => advice(kernel)) || shown[0] || kernels[0]).id;
  showKernel(first);
  filterTable();
  let wasNarrow = null;
  const wide = () => { if (narrow() === wasNarrow) return; wasNarrow = narrow(); showRatios(); showBounds(); showKernel(byId("kernel").value); };
  wide();
  addEventListener("resize", wide);
  showThreads();
  addEventListener("hashchange", () => route(true));
  route(true);
  document.documentElement.dataset.ready = "yes";
}
begin();
