// The engine in WebAssembly behind calls that take and return objects. It runs in
// a worker of the page.
//
//	RulelabEngine(module, { kit, prior }) -> promise of an engine for a page
//	RulelabEngine(module, { net, prior, rules }) -> the same for the workbench: whole
//	    nets, and rules as text; without rules there is no board
// What is missing or null is not there.
function RulelabEngine(module, parts) {
	'use strict';
	var memory, exports, began = Date.now();

	// Of the functions that the C library imports only the clock works; those that
	// our code imports are not for pages.
	function host(module) {
		var wasi = {}, env = {};
		WebAssembly.Module.imports(module).forEach(function (i) {
			if (i.module === 'env')
				env[i.name] = function () {
					throw new Error(i.name + ' does not work in a page');
				};
			else
				wasi[i.name] = function () { return 52; };	// ENOSYS
		});
		wasi.clock_time_get = function (id, precision, to) {
			new DataView(memory.buffer).setBigUint64(to,
			    BigInt(Date.now() - began) * 1000000n, true);
			return 0;
		};
		wasi.environ_sizes_get = function (count, size) {	// none
			var view = new DataView(memory.buffer);
			view.setUint32(count, 0, true);
			view.setUint32(size, 0, true);
			return 0;
		};
		wasi.fd_prestat_get = function () { return 8; };	// EBADF: no folders
		wasi.environ_get = function () { return 0; };
		wasi.proc_exit = function (status) {
			throw new Error('the engine has ended: ' + status);
		};
		return { wasi_snapshot_preview1: wasi, env: env };
	}

	// put(bytes or text): copies it into the engine's buffer; returns its length
	function put(data) {
		var bytes = typeof data === 'string' ?
		    new TextEncoder().encode(data) : data;
		var at = exports.page_room(bytes.length);
		if (at === 0)
			throw new Error('no memory');
		new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
		return bytes.length;
	}

	function answer(at) {
		var view = new Uint8Array(memory.buffer), end = at;
		while (view[end] !== 0)
			end++;
		return JSON.parse(new TextDecoder().decode(view.slice(at, end)));
	}

	var calls = {
		start: function (number) { return answer(exports.page_start(number)); },
		game: function (fen, moves) {
			return answer(exports.page_game(put((fen || '') + '\n' +
			    moves.join(' '))));
		},
		read: function (text) { return answer(exports.page_read_move(put(text))); },
		begin: function (o) {
			return answer(exports.page_begin(o.nodes || 0, o.seconds || 0,
			    o.lines || 1, o.temperature || 0, o.seed || 0));
		},
		think: function () { return answer(exports.page_think()); },
		forget: function () { exports.page_forget(); return {}; },
		prior: function () { return answer(exports.page_prior()); },
		// of the workbench
		fields: function () { return answer(exports.lab_fields()); },
		rules: function (text) { return answer(exports.lab_rules(put(text))); },
		board: function () { return answer(exports.lab_board()); },
		position: function (fen) { return answer(exports.lab_position(put(fen))); },
		piece: function (betza) { return answer(exports.lab_piece(put(betza))); },
		betza: function (numbers) { return answer(exports.lab_betza(put(numbers.join(' ')))); },
		perft: function (depth) { return answer(exports.lab_perft(depth)); },
		series: function (which, text, o) {
			var r = answer(exports.lab_rules(put(text)));
			return r.error ? r : answer(exports.lab_series(which, o.seed, o.nodes, o.sample));
		},
		playGame: function (which, k) { return answer(exports.lab_game(which, k)); },
		pgn: function (line) { return answer(exports.lab_pgn(put(line))); },
		counts: function (numbers) { return answer(exports.lab_counts(put(numbers.join(' ')))); },
		share: function (hits, total) { return answer(exports.lab_share(hits, total)); }
	};

	function check(a) {
		if (a.error)
			throw new Error(a.error);
		return a;
	}

	function open() {
		if (parts.kit) {
			calls.info = check(answer(exports.page_open(put(parts.kit))));
			if (parts.prior)
				calls.info.prior = !answer(exports.page_open_prior(put(parts.prior))).error;
			return;
		}
		if (parts.net)
			check(answer(exports.lab_net(put(parts.net))));
		if (parts.prior)
			check(answer(exports.lab_prior(put(parts.prior))));
		if (parts.rules === undefined) {
			calls.info = {};
			return;
		}
		var r = check(calls.rules(parts.rules));
		calls.info = check(calls.board());
		calls.info.prior = !!parts.prior;
		calls.info.unknown = r.unknown;
		calls.info.unknownPrior = r.unknown_prior;
	}

	return WebAssembly.instantiate(module, host(module)).then(function (instance) {
		exports = instance.exports;
		memory = exports.memory;
		exports._initialize();
		open();
		return calls;
	});
}
