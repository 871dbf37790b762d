// Lines over one axis, drawn by uPlot: which are shown is chosen by buttons, and the pointer
// or the arrow keys read the numbers off.
const Plot = (() => {
'use strict';

const { make, isNumber } = Doc;

// Ten colours for a light page and ten for a dark one, in the order of the rule sets.
const COLOURS = {
	light: ['#24292d', '#b8500f', '#24687a', '#8a3f8f', '#2d7244', '#a2361f', '#5556b8', '#84680b', '#0b7d78', '#b03070'],
	dark: ['#dde2df', '#f0975a', '#7fc1d0', '#d79bdc', '#80c795', '#f08f78', '#a5a6f2', '#d9bd55', '#5fd0c8', '#f29ac0']
};
const DASHES = [[], [6, 4], [2, 3]];
let paper = false;
const plots = [];

// Plots that have come into being together are drawn one a frame, so that what was asked for is
// there at once.
const waiting = new Set();
function soon(render) {
	if (waiting.add(render).size === 1)
		requestAnimationFrame(drawNext);
}
function drawNext() {
	const [render] = waiting;
	waiting.delete(render);
	render();
	if (waiting.size > 0)
		requestAnimationFrame(drawNext);
}

const dark = () => !paper && window.matchMedia('(prefers-color-scheme: dark)').matches;
const colourOf = (n) => COLOURS[dark() ? 'dark' : 'light'][n % 10];
const colour = (name) => paper ? { '--soft': '#444', '--line': '#bbb' }[name] : getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The union of all x, and each line's y, lo and hi there.
function together(lines) {
	const xs = [...new Set(lines.flatMap((line) => line.points.map((point) => point.x)))].sort((a, b) => a - b);
	return { xs, lines: lines.map((line) => {
		const at = new Map(line.points.map((point) => [point.x, point]));
		return xs.map((x) => at.get(x) || null);
	}) };
}

// Intervals of a line, as bars.
function intervals(u, line, points, xs) {
	const { ctx } = u;
	ctx.save();
	ctx.strokeStyle = colourOf(line.colour);
	ctx.globalAlpha = 0.45;
	ctx.lineWidth = 1.5 * devicePixelRatio;
	points.forEach((point, i) => {
		if (!point || !isNumber(point.lo) || !isNumber(point.hi))
			return;
		const x = u.valToPos(xs[i], 'x', true);
		ctx.beginPath();
		ctx.moveTo(x, u.valToPos(point.lo, 'y', true));
		ctx.lineTo(x, u.valToPos(point.hi, 'y', true));
		ctx.stroke();
	});
	ctx.restore();
}

// draw(box, { lines: [{name, colour, points: [{x, y, lo, hi, told}], fitted}], x, y, show, showX, log,
// steps, share }): a plot of the lines; show and showX print numbers, log is for doublings, steps
// for histograms, share for per cents; told says where a number comes from (source.js). Returns a function that draws other lines in its place.
function draw(box, what) {
	const area = make('div', { class: 'plot', role: 'img', 'aria-label': what.alt, tabindex: 0 });
	const said = make('p', { class: 'readout', 'aria-live': 'polite' });
	box.append(area, said);
	let u = null, lines = what.lines, at = null;

	function read(i) {
		at = i;
		if (i === null || i === undefined || !u) {
			said.textContent = what.hint;
			return;
		}
		said.replaceChildren(make('b', {}, what.showX(at_x(i))));
		lines.forEach((line, k) => {
			const point = known.lines[k][i];
			if (!point || line.fitted || !isNumber(point.y))
				return;
			const mark = make('i', { class: 'swatch' });
			mark.style.background = colourOf(line.colour);
			const number = make('button', { type: 'button', class: 'num' }, what.show(point.y), isNumber(point.lo) ?
			    make('span', { class: 'ci' }, ' ' + what.show(point.lo) + ' to ' + what.show(point.hi)) : '');
			number.number = Object.assign({ value: point.y, lo: point.lo, hi: point.hi, row: line.name, of: what.showX(at_x(i)) }, point.told);
			said.append(make('span', {}, mark, line.name + ' ', number));
		});
	}
	let known = together(lines);
	const at_x = (i) => known.xs[i];

	function render() {
		stale = false;
		if (u)
			u.destroy();
		known = together(lines);
		if (known.xs.length === 0) {
			u = null;
			said.textContent = 'No rule set is chosen.';
			return;
		}
		const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line'), width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif' };
		u = new uPlot({
			width: Math.max(240, area.clientWidth), height: area.clientWidth < 500 ? 240 : 320, legend: { show: false },
			cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, lock: true },
			scales: { x: { time: false, distr: what.log ? 3 : 1, log: 2 }, y: what.range ? { range: what.range } : { range: (self, lo, hi) => room(known, lo, hi) } },
			series: [{}].concat(lines.map((line) => ({ label: line.name, stroke: colourOf(line.colour), width: 2, dash: line.fitted ? [5, 4] : DASHES[Math.floor(line.colour / 10) % 3],
			    spanGaps: true, paths: what.steps ? uPlot.paths.stepped({ align: 1 }) : null,
			    points: { show: !what.steps && !line.fitted, size: 6, fill: colourOf(line.colour) } }))),
			axes: [Object.assign({ label: what.x, values: (self, splits) => splits.map((x) => isNumber(x) ? what.tickX ? what.tickX(x) : String(x) : '') }, axis, what.log ? { splits: () => known.xs, filter: (self, splits) => splits } : {}),
			    Object.assign({ label: typeof what.y === 'function' ? what.y() : what.y, size: 56, values: (self, splits) => splits.map((y) => tick(y, what.share)) }, axis)],
			hooks: { draw: [(self) => lines.forEach((line, k) => intervals(self, line, known.lines[k], known.xs))],
			    setCursor: [(self) => read(self.cursor.left >= 0 ? self.cursor.idx : null)] }
		}, [known.xs].concat(known.lines.map((points) => points.map((point) => point && isNumber(point.y) ? point.y : null))), area);
		read(null);
	}

	area.addEventListener('keydown', (event) => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		if (!step || !u)
			return;
		event.preventDefault();
		const next = Math.max(0, Math.min(known.xs.length - 1, (at === null || at === undefined ? (step > 0 ? -1 : known.xs.length) : at) + step));
		u.setCursor({ left: u.valToPos(known.xs[next], 'x'), top: 10 });
		read(next);
	});
	// What is out of sight is drawn anew when it comes into sight.
	let wide = 0, seen = true, stale = false;
	new IntersectionObserver((entries) => {
		seen = entries[entries.length - 1].isIntersecting;
		if (seen && stale)
			render();
	}, { rootMargin: '200px' }).observe(area);
	new ResizeObserver(() => {
		if (area.clientWidth !== wide && area.clientWidth > 0) {
			wide = area.clientWidth;
			soon(render);
		}
	}).observe(area);
	plots.push(() => { if (area.clientWidth > 0) render(); });
	return (others) => {
		lines = others;
		stale = true;
		if (seen && area.clientWidth > 0)
			render();
	};
}

// A number at the axis, with as many digits as it has.
const tick = (y, share) => String(Number((share ? 100 * y : y).toFixed(4))).replace('-', '−') + (share ? '\u202f%' : '');

// The range of y, intervals included, with some room.
function room(known, lo, hi) {
	known.lines.forEach((points) => points.forEach((point) => {
		if (point && isNumber(point.lo) && isNumber(point.hi)) {
			lo = Math.min(lo, point.lo);
			hi = Math.max(hi, point.hi);
		}
	}));
	const edge = (hi - lo || 1) * 0.05;
	return [lo >= 0 && lo - edge < 0 ? 0 : lo - edge, hi + edge];
}

const again = () => plots.forEach((plot) => plot());
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
window.addEventListener('beforeprint', () => { paper = true; again(); });
window.addEventListener('afterprint', () => { paper = false; again(); });

return { draw, again, colourOf };
})();
