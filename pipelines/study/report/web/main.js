// Draws the report, and what belongs to the whole page.
(() => {
'use strict';

const { make, text, report } = Doc;
const main = document.querySelector('main'), toc = document.querySelector('nav.toc');
const CONTENTS = { yours: 'Against chess', cards: 'Each rule set', outcomes: 'Outcomes', compare: 'Against each other', strength: 'Thinking time', measures: 'Design measures', nets: 'Several nets', special: 'Special moves', explorer: 'Explorer of openings',
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
	links[one.id].addEventListener('click', () => location.hash === '#' + one.id && goTo());
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

// Sections and cards are open on paper, where they cannot be clicked.
let opened = [];
window.addEventListener('beforeprint', () => {
	opened = [...document.querySelectorAll('#cards details.fold:not([open]), details.section:not([open])')];
	opened.forEach(unfold);
	Plot.again();
});
window.addEventListener('afterprint', () => {
	opened.forEach((card) => { card.open = false; });
	opened = [];
});

function unfold(box) {
	box.draw();
	box.open = true;
}

// A link to something folded opens it.
function goTo() {
	const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	for (let box = target && target.querySelector(':scope > details.section') || target; box; box = box.parentElement)
		if (box.tagName === 'DETAILS')
			unfold(box);
	if (!target)
		return;
	// It is as far as all that lies between is high: for two frames everything is laid out.
	main.classList.add('laid-out');
	target.scrollIntoView();
	requestAnimationFrame(() => requestAnimationFrame(() => main.classList.remove('laid-out')));
}

// All sections at once, and back.
function addUnfolder() {
	const boxes = [...document.querySelectorAll('details.section')], button = make('button', { type: 'button', class: 'unfold' }, 'Open all sections');
	button.addEventListener('click', () => {
		const open = boxes.some((box) => !box.open);
		boxes.forEach((box) => open ? unfold(box) : box.removeAttribute('open'));
		button.textContent = open ? 'Fold them again' : 'Open all sections';
	});
	if (boxes.length > 0)
		toc.append(button);
}

addUnfolder();
addChooser();
Source.start();
window.addEventListener('hashchange', goTo);
goTo();
document.body.dataset.ready = '';
})();
