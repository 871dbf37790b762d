#include "abtable.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CLUSTER = 4, AGES = 64 };

/* move 16, score 16, eval 16, depth 8, age 6, bound 2 */
static uint64_t
pack(struct abtable_entry e, uint8_t age)
{
	return e.move | (uint64_t)(uint16_t)e.score << 16 |
	    (uint64_t)(uint16_t)e.eval << 32 | (uint64_t)e.depth << 48 |
	    (uint64_t)(age << 2 | e.bound) << 56;
}

static struct abtable_entry
unpack(uint64_t d)
{
	struct abtable_entry e = { (move)d, (int16_t)(d >> 16), (int16_t)(d >> 32),
		(uint8_t)(d >> 48), d >> 56 & 3 };

	return e;
}

static uint64_t
load(const _Atomic uint64_t *p)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)p,
	    memory_order_relaxed);
}

static void
store(_Atomic uint64_t *p, uint64_t v)
{
	atomic_store_explicit(p, v, memory_order_relaxed);
}

int
abtable_init(struct abtable *t, size_t bytes)
{
	t->clusters = 16;
	while (t->clusters * 2 * CLUSTER * sizeof(struct abtable_slot) <= bytes)
		t->clusters *= 2;
	t->slots = memory_table(t->clusters * CLUSTER * sizeof(struct abtable_slot));
	t->age = 0;
	return t->slots == NULL ? -1 : 0;
}

void
abtable_release(struct abtable *t)
{
	free(t->slots);
	t->slots = NULL;
}

void
abtable_clear(struct abtable *t)
{
	memset((void *)t->slots, 0, t->clusters * CLUSTER * sizeof(struct abtable_slot));
	t->age = 0;
}

void
abtable_new_search(struct abtable *t)
{
	t->age = (uint8_t)((t->age + 1) % AGES);
}

static struct abtable_slot *
cluster(const struct abtable *t, uint64_t key)
{
	return t->slots + (key & (t->clusters - 1)) * CLUSTER;
}

void
abtable_prefetch(const struct abtable *t, uint64_t key)
{
	__builtin_prefetch(cluster(t, key));
}

bool
abtable_get(const struct abtable *t, uint64_t key, struct abtable_entry *e)
{
	const struct abtable_slot *s = cluster(t, key);

	for (int i = 0; i < CLUSTER; i++) {
		uint64_t d = load(&s[i].data);
		if (d != 0 && (load(&s[i].key) ^ d) == key) {
			*e = unpack(d);
			return true;
		}
	}
	return false;
}

/* The worth of keeping an entry: a search of age counts like four plies. */
static int
keep_value(const struct abtable *t, uint64_t d)
{
	int age = (int)((unsigned)(t->age - (int)(d >> 58)) % AGES);

	return (int)(d >> 48 & 255) - 4 * age;
}

void
abtable_put(struct abtable *t, uint64_t key, struct abtable_entry e)
{
	struct abtable_slot *s = cluster(t, key), *to = s;
	uint64_t old = 0;

	for (int i = 0; i < CLUSTER; i++) {
		uint64_t d = load(&s[i].data);
		if (d == 0 || (load(&s[i].key) ^ d) == key) {
			to = &s[i];
			old = d;
			break;
		}
		if (keep_value(t, d) < keep_value(t, load(&to->data)))
			to = &s[i];
	}
	if (old != 0) {
		struct abtable_entry was = unpack(old);
		if (e.move == 0)
			e.move = was.move;
		if (e.bound != BOUND_EXACT && e.depth + 3 < was.depth &&
		    (old >> 58) == t->age)
			return;
	}
	uint64_t d = pack(e, t->age);
	store(&to->key, key ^ d);
	store(&to->data, d);
}

int
abtable_hashfull(const struct abtable *t)
{
	uint64_t n = t->clusters < 250 ? t->clusters : 250, full = 0;

	for (uint64_t i = 0; i < n * CLUSTER; i++) {
		uint64_t d = load(&t->slots[i].data);
		full += d != 0 && (d >> 58) == t->age;
	}
	return (int)(full * 1000 / (n * CLUSTER));
}
