// A worker with an engine: takes { id, call, args }, answers { id, result } or
// { id, error }; a search also sends { id, info } after each iteration.
(function () {
'use strict';
var engine = null, opening = null;

function search(id, o) {
	var found = engine.game(o.fen, o.moves);
	if (!found.error)
		found = engine.begin(o);
	while (!found.error) {
		found = engine.think();
		if (found.error || found.done)
			break;
		postMessage({ id: id, info: found });
	}
	return found;
}

onmessage = function (event) {
	var m = event.data;
	function reply(result) { postMessage({ id: m.id, result: result }); }
	function fail(e) { postMessage({ id: m.id, error: String(e && e.message || e) }); }
	if (m.call === 'open') {
		opening = RulelabEngine(m.args[0], m.args[1]);
		opening.then(function (e) {
			engine = e;
			reply(e.info);
		}).catch(fail);
		return;
	}
	opening.then(function () {
		reply(m.call === 'search' ? search(m.id, m.args[0]) :
		    engine[m.call].apply(engine, m.args));
	}).catch(fail);
};
}());
