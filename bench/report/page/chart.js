/* chart.js: the pictures of report.html. All scales are logarithmic but for shares of a bound. */
function colour(who) {
  if (["avx512", "avx2_vaes", "avx2_aesni", "scalar", "plain", "sleef", "libm"].includes(who)) return `var(--c-${who})`;
  return who.startsWith("mkl") ? "var(--c-mkl)" : who.startsWith("simdp") ? "var(--c-avx2_aesni)" : "var(--c-other)";
}
const dash = who => who.startsWith("mkl") ? "6 3" : ["sleef", "libm", "fftw", "plain_c"].includes(who) ? "2 3" : null;

function ticks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of [1, 2, 5]) {
      const value = digit * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  if (found.length > 7) return found.filter(value => /^1/.test(value.toExponential()));
  return found;
}
const scale = (low, high, from, to) => x => from + (to - from) * Math.log(x / low) / Math.log(high / low);
const picture = (width, height, label) => draw("svg", {viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label});
const axisNumber = x => x >= 1000 ? count(x) : String(+x.toPrecision(2));

function rowTip(row) {
  const width = (row.high - row.low) / 2 / row.rate;
  const lines = [`${row.who}, n = ${count(row.n)}`, `${number(row.rate)} M/s, ${number(row.low)} to ${number(row.high)} (\u00b1${percent(width)})`,
    `${number(row.cycles)} cycles each, ${number(row.gb)} GB/s`];
  if (row.vs) lines.push(`${row.vs.toFixed(2)} times ${row.peer}`);
  if (row.share) lines.push(`${percent(row.share)} of the bound: ${row.bound}`);
  return lines.concat(row.words).join("\n");
}

/* Rate by batch size: one line for each of the series. */
function rateChart(place, series, title, narrow) {
  const width = narrow ? 360 : 640, height = narrow ? 280 : 340, left = narrow ? 44 : 52, right = 12, top = 10, bottom = 40;
  const rows = series.flatMap(line => line.rows);
  if (!rows.length) { place.replaceChildren(make("p", {class: "note"}, "No line is switched on.")); return; }
  const sizes = [...new Set(rows.map(row => row.n))].sort((a, b) => a - b);
  let low = Math.min(...rows.map(row => row.low)) / 1.15, high = Math.max(...rows.map(row => row.high)) * 1.15;
  const one = sizes.length === 1;
  const x = one ? () => (left + width - right) / 2 : scale(sizes[0], sizes[sizes.length - 1], left + 10, width - right - 10);
  const y = scale(low, high, height - bottom, top);
  const svg = picture(width, height, title);
  for (const value of ticks(low, high))
    svg.append(draw("line", {class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value)}),
      draw("text", {x: left - 8, y: y(value) + 4, "text-anchor": "end"}, axisNumber(value)));
  let last = -99;
  for (const n of sizes) {
    if (x(n) - last < 34) continue;
    last = x(n);
    svg.append(draw("text", {x: x(n), y: height - bottom + 18, "text-anchor": "middle"}, sizeText(n)));
  }
  svg.append(draw("line", {class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
    draw("text", {x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle"}, "batch size n"));
  for (const line of series) {
    const points = line.rows.slice().sort((a, b) => a.n - b.n);
    svg.append(draw("polyline", {points: points.map(row => `${x(row.n)},${y(row.rate)}`).join(" "), fill: "none",
      stroke: line.colour, "stroke-width": line.ours ? 2.5 : 1.6, "stroke-dasharray": dash(line.who), "stroke-linejoin": "round"}));
    for (const row of points) {
      svg.append(draw("line", {x1: x(row.n), x2: x(row.n), y1: y(row.low), y2: y(row.high), stroke: line.colour, "stroke-width": 5, opacity: 0.3}));
      svg.append(tips(draw("circle", {class: "hit", cx: x(row.n), cy: y(row.rate), r: line.ours ? 4 : 3, fill: line.colour, stroke: "transparent",
        "stroke-width": 10, tabindex: 0, role: "img", "aria-label": rowTip(row).replaceAll("\n", ", ")}), rowTip(row)));
    }
  }
  place.replaceChildren(svg);
}

/* One bar for each of the rows, longest first. */
function barChart(place, rows, title, narrow) {
  const width = narrow ? 360 : 420, step = 25, left = 150, right = narrow ? 52 : 62, sorted = rows.slice().sort((a, b) => b.rate - a.rate);
  if (!sorted.length) { place.replaceChildren(); return; }
  const high = sorted[0].rate, low = Math.min(sorted[sorted.length - 1].rate / 1.6, high / 4);
  const x = scale(low, high, left, width - right), height = sorted.length * step + 24;
  const svg = picture(width, height, title);
  for (const value of ticks(low, high).filter((v, i, all) => all.length < 5 || /^1/.test(v.toExponential())))
    svg.append(draw("line", {class: "grid", x1: x(value), x2: x(value), y1: 0, y2: height - 20}),
      draw("text", {x: x(value), y: height - 5, "text-anchor": "middle"}, axisNumber(value)));
  sorted.forEach((row, i) => {
    const y = i * step + 4;
    svg.append(draw("text", {class: row.ours ? "strong" : null, x: left - 8, y: y + 13, "text-anchor": "end"}, row.label || row.who),
      tips(draw("rect", {class: "hit", x: left, y: y, width: Math.max(2, x(row.rate) - left), height: step - 8, rx: 2, fill: colour(row.who),
        opacity: row.ours ? 1 : 0.85, tabindex: 0, role: "img", "aria-label": rowTip(row).replaceAll("\n", ", ")}), rowTip(row)),
      draw("text", {class: "strong", x: x(row.rate) + 6, y: y + 13}, number(row.rate)));
  });
  place.replaceChildren(svg);
}

/* Ratios to the best peer: {name, n, marks: [row]} a line, the line of equality in the middle. */
function ratioChart(place, lines, narrow) {
  const width = narrow ? 360 : 1120, step = narrow ? 40 : 24, left = narrow ? 6 : 300, right = 58, down = narrow ? 26 : 12;
  const values = lines.flatMap(line => line.marks.map(row => row.vs));
  if (!values.length) { place.replaceChildren(make("p", {class: "note"}, "No kernel of this run has a peer.")); return; }
  const low = Math.min(0.5, ...values) / 1.1, high = Math.max(2, ...values) * 1.1;
  const x = scale(low, high, left, width - right), height = lines.length * step + 26;
  const svg = picture(width, height, "Ratios to the fastest peer");
  for (const value of (narrow ? [0.1, 1, 10] : [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]).filter(v => v >= low && v <= high))
    svg.append(draw("line", {class: value === 1 ? "one" : "grid", x1: x(value), x2: x(value), y1: 0, y2: height - 22}),
      draw("text", {x: x(value), y: height - 6, "text-anchor": "middle"}, value + "\u00d7"));
  lines.forEach((line, i) => {
    const y = i * step + down, place = narrow ? {x: 0, y: y - 11} : {x: left - 14, y: y + 4, "text-anchor": "end"};
    const link = draw("a", {href: "#" + line.name}, draw("text", {class: "strong", ...place}, line.name,
      draw("tspan", {fill: "var(--soft)"}, ` (${sizeText(line.n)})`)));
    svg.append(link);
    line.marks.forEach((row, m) => {
      const shift = line.marks.length > 1 ? (m === 0 ? -4 : 4) : 0;
      svg.append(draw("line", {x1: x(1), x2: x(row.vs), y1: y + shift, y2: y + shift, stroke: colour(row.who), "stroke-width": m === 0 ? 4 : 2, opacity: 0.75}),
        tips(draw("circle", {class: "hit", cx: x(row.vs), cy: y + shift, r: m === 0 ? 5 : 4, fill: colour(row.who), tabindex: 0, role: "img",
          "aria-label": `${line.name}: ${rowTip(row).replaceAll("\n", ", ")}`}), rowTip(row)));
    });
    const best = line.marks[0];
    svg.append(draw("text", {class: "strong", x: width, y: y + 4, "text-anchor": "end"}, best.vs.toFixed(2) + "\u00d7"));
  });
  place.replaceChildren(svg);
}

/* Shares of a bound, linear from 0 to the whole. */
function shareChart(place, rows, narrow) {
  const width = narrow ? 360 : 1120, step = narrow ? 40 : 24, left = narrow ? 6 : 300, right = narrow ? 130 : 170, down = narrow ? 18 : 3;
  if (!rows.length) { place.replaceChildren(make("p", {class: "note"}, "No ceiling was measured in this run.")); return; }
  const x = share => left + (width - right - left) * Math.min(share, 1.05), height = rows.length * step + 24;
  const svg = picture(width, height, "Shares of the bound");
  for (const value of narrow ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1])
    svg.append(draw("line", {class: value === 1 ? "one" : "grid", x1: x(value), x2: x(value), y1: 0, y2: height - 22}),
      draw("text", {x: x(value), y: height - 6, "text-anchor": "middle"}, 100 * value + " %"));
  rows.forEach((row, i) => {
    const y = i * step + down, place = narrow ? {x: 0, y: y - 4} : {x: left - 14, y: y + 13, "text-anchor": "end"};
    svg.append(draw("text", {class: "strong", ...place}, row.kernel),
      tips(draw("rect", {class: "hit", x: left, y: y + 2, width: x(row.share) - left, height: 14, rx: 2, fill: colour(row.who), tabindex: 0,
        role: "img", "aria-label": `${row.kernel}: ${rowTip(row).replaceAll("\n", ", ")}`}), rowTip(row)),
      draw("text", {x: x(row.share) + 8, y: y + 13}, `${percent(row.share)} of ${row.bound}`));
  });
  place.replaceChildren(svg);
}
