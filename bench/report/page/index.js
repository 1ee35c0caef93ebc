/* index.js: index.html. A run is {name, text, rows: [[row, M/s, low, high]]}. */
const runs = JSON.parse(byId("data").textContent);
const LEAST = 0.03;
const OURS = /\/(avx512|avx2_vaes|avx2_aesni|scalar|plain)\//;

function verdict(row) {
  const apart = row.b[1] > row.a[2] || row.b[2] < row.a[1];
  if (!apart || Math.abs(row.ratio - 1) < LEAST) return "no difference";
  return row.ratio > 1 ? "faster" : "slower";
}
const rate = cell => tips(make("span", {tabindex: 0}, number(cell[0])), `${number(cell[1])} to ${number(cell[2])} M/s`);
const showTable = sortable(byId("columns"), byId("rows"), [
  {name: "row", left: true, value: row => row.name, cell: row => row.name},
  {name: "A, M/s", value: row => row.a[0], cell: row => rate(row.a)},
  {name: "B, M/s", value: row => row.b[0], cell: row => rate(row.b)},
  {name: "B to A", value: row => row.ratio, cell: row => row.ratio.toFixed(3), tone: row => ({faster: "up", slower: "down"})[row.verdict] || ""},
  {name: "verdict", left: true, value: row => row.verdict, cell: row => row.verdict, tone: () => "soft"},
]);

function update() {
  const [a, b] = ["a", "b"].map(id => runs[+byId(id).value]);
  byId("a-text").replaceChildren(a.text, " ", make("a", {href: a.name + "/report.html"}, "its page"));
  byId("b-text").replaceChildren(b.text, " ", make("a", {href: b.name + "/report.html"}, "its page"));
  const first = new Map(a.rows.map(([name, ...values]) => [name, values]));
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean), wanted = byId("verdict").value;
  const everybody = byId("everybody").checked;
  const both = b.rows.filter(([name]) => first.has(name) && (everybody || (OURS.test(name) && !name.startsWith("roof/"))))
    .map(([name, ...values]) => ({name, a: first.get(name), b: values, ratio: values[0] / first.get(name)[0]}));
  both.forEach(row => { row.verdict = verdict(row); });
  const shown = both.filter(row => (wanted === "all" || row.verdict === wanted) && words.every(word => row.name.toLowerCase().includes(word)));
  const how = word => both.filter(row => row.verdict === word).length;
  const middle = both.map(row => row.ratio).sort((x, y) => x - y)[both.length >> 1];
  const tile = (label, value) => make("div", {class: "tile"}, make("small", {}, label), make("b", {}, value));
  byId("tiles").replaceChildren(tile("faster in B", count(how("faster"))), tile("slower in B", count(how("slower"))),
    tile("no difference", count(how("no difference"))), tile("median ratio", middle ? middle.toFixed(2) + "\u00d7" : "-"));
  showTable(shown, row => ({"data-row": row.name}));
  byId("count").textContent = `${count(shown.length)} of ${count(both.length)} rows that both have.`;
  history.replaceState(null, "", `#${a.name}..${b.name}`);
}

function begin() {
  const [left, right] = asked().split("..");
  const place = (name, otherwise) => Math.max(0, runs.findIndex(run => run.name === name)) || (runs[0].name === name ? 0 : Math.min(otherwise, runs.length - 1));
  for (const [id, chosen] of [["a", place(left, 1)], ["b", place(right, 0)]]) {
    byId(id).replaceChildren(...runs.map((run, i) => make("option", {value: i, selected: i === chosen}, run.name)));
    byId(id).addEventListener("change", update);
  }
  for (const id of ["filter", "verdict", "everybody"]) byId(id).addEventListener("input", update);
  update();
  document.documentElement.dataset.ready = "yes";
}
begin();
