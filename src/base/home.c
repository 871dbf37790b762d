#include "home.h"

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

/*
 * The folders above the programs may be anybody's, so they are used only if the
 * programs' folder has a name that rulelab gives: TREE/build/NAME/bin (or tests beside
 * bin), three below the tree, and PREFIX/libexec/rulelab.
 */
static const char *
find_above(const char *programs)
{
	const char *names[3] = { "", "", "" }; /* its last three names, /… */

	for (const char *s = programs; (s = strchr(s, '/')) != NULL; s++) {
		names[0] = names[1];
		names[1] = names[2];
		names[2] = s;
	}
	if (strncmp(names[0], "/build/", 7) == 0)
		return "../../..";
	return strcmp(names[1], "/libexec/rulelab") == 0 ? "../../share/rulelab" : NULL;
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
	if (join(path, programs, "..", name) == 0)
		return 0;
	const char *above = find_above(programs);
	return above != NULL ? join(path, programs, above, name) : -1;
}
