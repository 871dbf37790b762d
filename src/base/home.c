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

int
home_path(char path[HOME_PATH_MAX], const char *name)
{
	static const char *const homes[] = { "..", "../../..",
	    "../../share/rulelab" };
	const char *home = getenv("RULELAB_HOME");
	char programs[HOME_PATH_MAX];

	if (home != NULL && home[0] != '\0')
		return join(path, home, ".", name);
	if (home_of_programs(programs) == -1)
		return -1;
	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++)
		if (join(path, programs, homes[i], name) == 0)
			return 0;
	return -1;
}
