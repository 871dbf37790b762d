/* Where the programs would end with a message, a page's engine stops. */
#ifndef WASM_ERR_H
#define WASM_ERR_H

#define errx(status, ...) __builtin_trap()

#endif
