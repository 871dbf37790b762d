/*
 * The kit of a page: what is read is written back to a kit that means the same,
 * and can be told in words.
 */
#include "data/ruletext.h"
#include "fuzz.h"
#include "page/kit.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct sparse_ints net, net_again;
	struct rules r, again;
	struct text t = { 0 }, twice = { 0 }, words = { 0 };
	char reason[KIT_REASON_MAX];
	bool has, has_again;

	if (kit_read((const char *)data, n, &r, &net, &has, reason) == -1) {
		REQUIRE(reason[0] != '\0');
		return 0;
	}
	kit_write(&t, &r, has ? &net : NULL);
	REQUIRE(kit_read(t.s, t.len, &again, &net_again, &has_again, reason) == 0);
	REQUIRE(rules_equal(&r, &again) && has == has_again);
	kit_write(&twice, &again, has ? &net_again : NULL);
	REQUIRE(t.len == twice.len && memcmp(t.s, twice.s, t.len) == 0);
	ruletext_title(&r, &words);
	REQUIRE(words.len > 0);
	ruletext_differences(&r, &words);
	if (has) {
		sparse_ints_release(&net);
		sparse_ints_release(&net_again);
	}
	text_release(&t);
	text_release(&twice);
	text_release(&words);
	return 0;
}
