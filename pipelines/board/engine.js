// The engine in WebAssembly behind calls that take and return objects. It runs in
// a worker of the page.
//
//	RulelabEngine(module, kit, prior or null) -> promise of an engine
function RulelabEngine(module, kit, prior) {
	'use strict';
	var memory, exports, began = Date.now();

	// Of the functions that the C library imports only the clock works.
	function host(module) {
		var wasi = {};
		WebAssembly.Module.imports(module).forEach(function (i) {
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
		wasi.environ_get = function () { return 0; };
		wasi.proc_exit = function (status) {
			throw new Error('the engine has ended: ' + status);
		};
		return { wasi_snapshot_preview1: wasi };
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
		prior: function () { return answer(exports.page_prior()); }
	};

	return WebAssembly.instantiate(module, host(module)).then(function (instance) {
		exports = instance.exports;
		memory = exports.memory;
		exports._initialize();
		calls.info = answer(exports.page_open(put(kit)));
		if (calls.info.error)
			throw new Error(calls.info.error);
		if (prior) {
			var opened = answer(exports.page_open_prior(put(prior)));
			calls.info.prior = !opened.error;
		}
		return calls;
	});
}
