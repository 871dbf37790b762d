#include "home.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
home_of_programs(char path[HOME_PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, HOME_PATH_MAX - 1);

	if (n <= 0)
		return -1;
	path[n] = '\0';
	char *slash = strrchr(path, '/');
	if (slash == NULL)
		return -1;
	*slash = '\0';
	return 0;
}

static int
join(char path[HOME_PATH_MAX], const char *a, const char *b, const char *name)
{
	int n = snprintf(path, HOME_PATH_MAX, "%s/%s/%s", a, b, name);

	return n > 0 && n < HOME_PATH_MAX && access(path, R_OK) == 0 ? 0 : -1;
}

/* Is it TREE/build/NAME/bin, or tests beside bin? Then the tree is three above,
 * where nothing is looked for otherwise: it may be anybody's. */
static bool
is_build(const char *programs)
{
	char path[HOME_PATH_MAX], *slash = NULL;

	snprintf(path, sizeof(path), "%s", programs);
	for (int i = 0; i < 2; i++) {
		if ((slash = strrchr(path, '/')) == NULL)
			return false;
		*slash = '\0';
	}
	slash = strrchr(path, '/');
	return slash != NULL && strcmp(slash, "/build") == 0;
}

int
home_path(char path[HOME_PATH_MAX], const char *name)
{
	const char *home = getenv("RULELAB_HOME");
	char programs[HOME_PATH_MAX];

	if (home != NULL && home[0] != '\0')
		return join(path, home, ".", name);
	if (home_of_programs(programs) == -1)
		return -1;
	return join(path, programs, "..", name) == 0 || (is_build(programs) &&
	    join(path, programs, "../../..", name) == 0) ||
	    join(path, programs, "../../share/rulelab", name) == 0 ? 0 : -1;
}
