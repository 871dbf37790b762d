// Engines in workers, and the bytes of a page's parts.
var RulelabEngines = (function () {
'use strict';

function text(id) { return document.getElementById(id).textContent; }

// A promise of the bytes in an element, which are gzipped base64; null if it is empty
// or missing.
function bytes(id) {
	var e = document.getElementById(id), s = e ? atob(e.textContent.trim()) : '';
	var a = new Uint8Array(s.length);
	if (s.length === 0)
		return Promise.resolve(null);
	for (var i = 0; i < s.length; i++)
		a[i] = s.charCodeAt(i);
	return new Response(new Blob([a]).stream().pipeThrough(new DecompressionStream('gzip')))
	    .arrayBuffer().then(function (whole) { return new Uint8Array(whole); });
}

// A worker with an engine; ask() returns a promise. stop() replaces a worker that is
// busy with work no longer wanted.
function Engine(parts) {
	this.parts = parts;
	this.begin();
}

// Compiled once for all workers; with vector instructions if the browser accepts
// these bytes, a module with one function that needs them.
Engine.compile = function () {
	var vectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2,
	    1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
	var id = WebAssembly.validate(vectors) ? 'wasm-simd' : 'wasm';
	document.body.setAttribute('data-engine', id);
	Engine.source = URL.createObjectURL(new Blob([text('worker')], { type: 'text/javascript' }));
	return bytes(id).then(WebAssembly.compile).then(function (module) { Engine.module = module; });
};

Engine.prototype.begin = function () {
	var self = this;
	this.waiting = {};
	this.next = 0;
	this.worker = new Worker(Engine.source);
	this.worker.onmessage = function (event) {
		var m = event.data, w = self.waiting[m.id];
		if (!w)
			return;
		if (m.info) {
			if (w.info)
				w.info(m.info);
			return;
		}
		delete self.waiting[m.id];
		if (m.error)
			w.fail(new Error(m.error));
		else
			w.done(m.result);
	};
	this.opened = this.ask('open', [Engine.module, this.parts]);
};

Engine.prototype.ask = function (call, args, info) {
	var self = this, id = this.next++;
	return new Promise(function (done, fail) {
		self.waiting[id] = { call: call, done: done, fail: fail, info: info };
		self.worker.postMessage({ id: id, call: call, args: args || [] });
	});
};

Engine.prototype.stop = function () {
	var waiting = this.waiting;
	if (!Object.keys(waiting).some(function (id) { return waiting[id].call !== 'open'; }))
		return;
	this.end();
	this.begin();
};

Engine.prototype.end = function () { this.worker.terminate(); };

return { bytes: bytes, Engine: Engine };
}());
