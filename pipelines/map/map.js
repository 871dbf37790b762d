// The map of rules: a dot for each rule set by two of its measures, with intervals. A
// click, a tap or Enter shows what it is.
'use strict';
(() => {
	const data = JSON.parse(document.getElementById('data').textContent);
	// Text keeps its size, so a narrow map has fewer units.
	const narrow = document.getElementById('map').clientWidth < 520;
	const width = narrow ? 400 : 760, height = narrow ? 400 : 520, left = 64, right = 16, top = 14, bottom = 48;
	const about = document.getElementById('about');

	function make(name, attributes, parent, text) {
		const e = document.createElementNS('http://www.w3.org/2000/svg', name);
		for (const key in attributes)
			e.setAttribute(key, attributes[key]);
		if (text !== undefined)
			e.textContent = text;
		if (parent)
			parent.append(e);
		return e;
	}

	const show = (i, v) => data.shares[i] ? `${Math.round(v * 1000) / 10} %` : String(Math.round(v * 1000) / 1000);

	// The range of an axis: all values, and what is wanted, with some room.
	function range(i) {
		const key = 'xy'[i], all = [...data.all, ...data.finalists].map(r => r[key][0]);
		for (const bound of data.aims[i] || [])
			if (bound !== null && bound !== undefined)
				all.push(bound);
		let lo = Math.min(...all), hi = Math.max(...all);
		const room = (hi - lo || 1) * 0.06;
		lo -= room;
		hi += room;
		if (data.shares[i]) {
			lo = Math.max(0, lo);
			hi = Math.min(1, hi);
		}
		return [lo, hi];
	}
	const ranges = [range(0), range(1)];
	const clamp = (v, [lo, hi]) => Math.min(hi, Math.max(lo, v));
	const at_x = v => left + (clamp(v, ranges[0]) - ranges[0][0]) / (ranges[0][1] - ranges[0][0]) * (width - left - right);
	const at_y = v => height - bottom - (clamp(v, ranges[1]) - ranges[1][0]) / (ranges[1][1] - ranges[1][0]) * (height - top - bottom);

	const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'group',
		'aria-label': `Map of rules by ${data.names[0]} and ${data.names[1]}` });

	function ticks([lo, hi]) {
		const raw = (hi - lo) / 6, power = 10 ** Math.floor(Math.log10(raw));
		const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw), list = [];
		for (let v = Math.ceil(lo / step) * step; v <= hi + step * 1e-9; v += step)
			list.push(v);
		return list;
	}

	function draw_axes() {
		for (const v of ticks(ranges[0])) {
			make('line', { class: 'axis', x1: at_x(v), x2: at_x(v), y1: top, y2: height - bottom }, svg);
			make('text', { class: 'tick', x: at_x(v), y: height - bottom + 16, 'text-anchor': 'middle' }, svg, show(0, v));
		}
		for (const v of ticks(ranges[1])) {
			make('line', { class: 'axis', x1: left, x2: width - right, y1: at_y(v), y2: at_y(v) }, svg);
			make('text', { class: 'tick', x: left - 6, y: at_y(v) + 4, 'text-anchor': 'end' }, svg, show(1, v));
		}
		make('text', { class: 'name', x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle' }, svg, data.names[0]);
		make('text', { class: 'name', x: 14, y: (top + height - bottom) / 2, 'text-anchor': 'middle',
			transform: `rotate(-90 14 ${(top + height - bottom) / 2})` }, svg, data.names[1]);
	}

	// The region that both aims leave, if the map shows them.
	function draw_wanted() {
		if (!data.aims[0] && !data.aims[1])
			return;
		const [x, y] = [0, 1].map(i => (data.aims[i] || [null, null]).map((b, k) => b === null || b === undefined ? ranges[i][k] : b));
		make('rect', { class: 'wanted', x: at_x(x[0]), width: Math.max(3, at_x(x[1]) - at_x(x[0])),
			y: at_y(y[1]), height: Math.max(3, at_y(y[0]) - at_y(y[1])) }, svg);
	}

	function fill_about(r) {
		const p = (text, kind) => {
			const e = document.createElement('p');
			e.textContent = text;
			e.className = kind || '';
			about.append(e);
			return e;
		};
		about.textContent = '';
		const title = document.createElement('h3');
		title.textContent = r.title;
		about.append(title);
		p(r.sentence);
		for (const i of [0, 1]) {
			const v = r['xy'[i]];
			p(`${data.names[i]}: ${show(i, v[0])} (${show(i, v[1])} to ${show(i, v[2])})`);
		}
		p(`${r.games} ${r.fresh ? 'fresh games' : 'games'}${r.allowed === false ? '; not allowed by the aims, played for comparison' : ''}`, 'soft');
		p(JSON.stringify(r.rules), 'soft');
		const links = document.createElement('p');
		const link = (href, text) => {
			const a = document.createElement('a');
			a.href = href;
			a.textContent = text;
			links.append(a, ' ');
		};
		if (r.fresh && !r.chess)
			link(`#rules-${r.id}`, 'Card');
		if (r.page)
			link(r.page, 'Play it');
		link(`rules/${r.id}.json`, `rules/${r.id}.json`);
		about.append(links);
	}

	function choose(g, r) {
		for (const other of svg.querySelectorAll('.chosen'))
			other.classList.remove('chosen');
		g.classList.add('chosen');
		fill_about(r);
	}

	function draw_point(r, kind, radius) {
		const x = at_x(r.x[0]), y = at_y(r.y[0]);
		const g = make('g', { class: `point ${kind}`, tabindex: 0, role: 'button', 'data-id': r.id,
			'aria-label': `${r.title}: ${data.names[0]} ${show(0, r.x[0])}, ${data.names[1]} ${show(1, r.y[0])}` }, svg);
		make('line', { class: 'bar', x1: at_x(r.x[1]), x2: at_x(r.x[2]), y1: y, y2: y }, g);
		make('line', { class: 'bar', y1: at_y(r.y[1]), y2: at_y(r.y[2]), x1: x, x2: x }, g);
		make('circle', { class: 'halo', cx: x, cy: y, r: radius + 6 }, g);
		make('circle', { class: 'dot', cx: x, cy: y, r: radius }, g);
		make('title', {}, g, r.title);
		g.addEventListener('click', () => choose(g, r));
		g.addEventListener('keydown', e => {
			if (e.key === 'Enter' || e.key === ' ') {
				e.preventDefault();
				choose(g, r);
			}
		});
	}

	// Names above their dots' bars, on the side that has room; moved up or down until they
	// cover neither another name nor a named dot.
	function draw_labels(list) {
		const taken = list.map(r => ({ x: at_x(r.x[0]) - 6, to: at_x(r.x[0]) + 6, y: at_y(r.y[0]) - 6, below: at_y(r.y[0]) + 6 }));
		for (const r of list) {
			const e = make('text', { class: 'label' }, svg, r.title), wide = e.getComputedTextLength();
			const x = at_x(r.x[0]), y = at_y(r.y[0]), before = x + wide + 9 > width - right;
			const from = Math.max(2, before ? x - 9 - wide : x + 9);
			const box = d => ({ x: from, to: from + wide, y: y + d - 11, below: y + d + 2 });
			const free = o => o.y >= 0 && o.below <= height - bottom && !taken.some(t => o.x < t.to && t.x < o.to && o.y < t.below && t.y < o.below);
			const d = [-5, 14, -18, 27, -31, 40, -44, 53, -57, 66].find(d => free(box(d))) ?? -5;
			taken.push(box(d));
			e.setAttribute('x', from);
			e.setAttribute('y', y + d);
		}
	}

	document.getElementById('map').append(svg);
	draw_axes();
	draw_wanted();
	const finals = new Set(data.finalists.map(r => r.id));
	const others = data.all.filter(r => !finals.has(r.id));
	for (const r of others.filter(r => !r.preset))
		draw_point(r, r.allowed ? '' : 'other', 4);
	for (const r of others.filter(r => r.preset))
		draw_point(r, 'preset', 5);
	for (const r of data.finalists) {
		r.fresh = true;
		draw_point(r, r.chess ? 'finalist chess' : 'finalist', 7);
	}
	// On a narrow map only chess has its name; the others tell theirs when chosen.
	draw_labels(narrow ? [...others, ...data.finalists].filter(r => r.id === '0001') : [...data.finalists, ...others.filter(r => r.preset)]);
})();
