// Draws the report, and what belongs to the whole page.
(() => {
'use strict';

const { make, text, report } = Doc;
const main = document.querySelector('main'), toc = document.querySelector('nav.toc');
const CONTENTS = { yours: 'Against chess', cards: 'Each rule set', outcomes: 'Outcomes', compare: 'Against each other', strength: 'Thinking time', measures: 'Design measures', special: 'Special moves', explorer: 'Explorer of openings',
	entropy: 'Opening choice', divergence: 'Divergence', values: 'Piece values', games: 'Games' };

document.querySelector('.top .lead').append(...text(report.lead));
document.querySelector('header.top').append(...Parts.draw(report.head));
main.prepend(...report.sections.map(Parts.section));
document.querySelector('footer p').append(...text(report.footer));

// ---- contents ----

const links = {};
const list = toc.querySelector('ol');
for (const one of report.sections) {
	if (one.id === 'glance')
		continue;
	links[one.id] = make('a', { href: '#' + one.id }, CONTENTS[one.id] || Doc.plain(one.title));
	list.append(make('li', {}, links[one.id]));
}

// Marks the section that is being read.
let current = null;
const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
	if (!entry.isIntersecting || !links[entry.target.id])
		return;
	if (current)
		current.removeAttribute('aria-current');
	current = links[entry.target.id];
	current.setAttribute('aria-current', 'true');
}), { rootMargin: '-20% 0px -75% 0px' });
document.querySelectorAll('main > section').forEach((section) => observer.observe(section));

// A box below the contents that chooses the rule sets which tables and charts show.
function addChooser() {
	if (report.rules.length < 3)
		return;
	const box = make('details', { class: 'chooser' }, make('summary', {}, 'Rule sets shown'));
	const ticks = report.rules.map((one) => {
		const tick = make('input', { type: 'checkbox', checked: true });
		box.append(make('label', {}, tick, ' ' + one.label));
		tick.addEventListener('change', () => Doc.choose([one.rules], tick.checked));
		return tick;
	});
	for (const [name, wanted] of [['All', true], ['None', false]]) {
		const button = make('button', { type: 'button' }, name);
		button.addEventListener('click', () => {
			ticks.forEach((tick) => { tick.checked = wanted; });
			Doc.choose(report.rules.map((one) => one.rules), wanted);
		});
		box.append(button);
	}
	toc.append(box);
}

// Cards are open on paper, where they cannot be clicked.
let opened = [];
window.addEventListener('beforeprint', () => {
	opened = [...document.querySelectorAll('#cards details.fold:not([open])')];
	opened.forEach((card) => {
		card.draw();
		card.open = true;
	});
});
window.addEventListener('afterprint', () => {
	opened.forEach((card) => { card.open = false; });
	opened = [];
});

// A link to something folded opens it.
function goTo() {
	const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	for (let box = target; box; box = box.parentElement)
		if (box.tagName === 'DETAILS') {
			box.draw();
			box.open = true;
		}
	if (target)
		target.scrollIntoView();
}

addChooser();
Source.start();
window.addEventListener('hashchange', goTo);
goTo();
document.body.dataset.ready = '';
})();
