// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the limits of a test; see limits.h.  Here an unknown key is a fault:
 * a misspelt floor= would change a verdict without a word.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "limits.h"
#include "recfile.h"

#define CPUS_MAX 65536u

const char *const role_names[] = { "decide", "control", "info" };

int limits_arm(const struct limits *ls, const char *name)
{
	for (unsigned int i = 0; i < ls->n_arms; i++)
		if (!strcmp(ls->arms[i], name))
			return (int)i;
	return -1;
}

static void copy_value(const struct recfile *f, const char *key, char *to)
{
	const char *v = recfile_str(f, key);

	if (strlen(v) >= NAME_SIZE)
		recfile_broken(f, "%s=%.40s..., expected at most %d bytes", key,
			       v, NAME_SIZE - 1);
	strcpy(to, v);
}

/* A comma separated list of arms as a mask; none may be in taken. */
static uint64_t parse_arms(struct limits *ls, const struct recfile *f,
			   const char *key, uint64_t taken)
{
	const char *s = recfile_str(f, key);
	uint64_t mask = 0;
	char name[NAME_SIZE];
	size_t len;
	int i;

	for (;; s += len + 1) {
		len = strcspn(s, ",");
		if (!len || len >= NAME_SIZE)
			recfile_broken(f, "%s=...'%.40s', expected arms", key,
				       s);
		memcpy(name, s, len);
		name[len] = '\0';
		i = limits_arm(ls, name);
		if (i < 0) {
			if (ls->n_arms == ARMS_MAX)
				recfile_broken(f, "more than %d arms",
					       ARMS_MAX);
			i = (int)ls->n_arms++;
			strcpy(ls->arms[i], name);
			ls->arm_line[i] = f->line;
		}
		if ((mask | taken) >> i & 1)
			recfile_broken(f, "arm %s twice, expected it once",
				       name);
		mask |= UINT64_C(1) << i;
		if (!s[len])
			return mask;
	}
}

static void check_keys(const struct recfile *f)
{
	static const char known[] =
		" name num den of max min floor role fs min_cpus fit ";
	char word[NAME_SIZE];

	if (strcmp(f->rec.kind, "limit"))
		recfile_broken(f, "a record '%.40s', expected limit",
			       f->rec.kind);
	for (size_t i = 0; i < f->rec.n; i++) {
		snprintf(word, sizeof(word), " %.40s ", f->rec.f[i].key);
		if (!strstr(known, word))
			recfile_broken(f, "key %.40s, expected one of%.*s",
				       f->rec.f[i].key, (int)sizeof(known) - 2,
				       known);
	}
}

static bool starts_key(const char *s)
{
	return *s >= 'a' && *s <= 'z';
}

static void parse_limit(struct limits *ls, const struct recfile *f)
{
	const char *role = record_get(&f->rec, "role"), *key;
	struct limit *l = &ls->l[ls->n];
	uint64_t cpus;
	int end = 0;

	check_keys(f);
	copy_value(f, "name", l->name);
	for (unsigned int i = 0; i < ls->n; i++)
		if (!strcmp(ls->l[i].name, l->name))
			recfile_broken(f, "limit %s twice, expected it once",
				       l->name);
	l->num = parse_arms(ls, f, "num", 0);
	l->den = parse_arms(ls, f, "den", l->num);
	key = recfile_str(f, "of");
	sscanf(key, "%63[a-z0-9_]%n/%63[a-z0-9_]%n", l->of, &end, l->per, &end);
	if (key[end] || !starts_key(l->of) || (*l->per && !starts_key(l->per)))
		recfile_broken(f, "of=%.40s, expected KEY or KEY/KEY", key);
	l->is_max = record_get(&f->rec, "max");
	if (l->is_max == !!record_get(&f->rec, "min"))
		recfile_broken(f, "%s max= and min=, expected one of them",
			       l->is_max ? "both" : "neither");
	key = l->is_max ? "max" : "min";
	copy_value(f, key, l->text);
	l->ln_threshold = log(recfile_decimal(f, key));
	if (record_get(&f->rec, "floor"))
		l->floor = recfile_decimal(f, "floor");
	if (record_get(&f->rec, "fs"))
		copy_value(f, "fs", l->fs);
	if (record_get(&f->rec, "fit")) {
		if (strcmp(recfile_str(f, "fit"), "any"))
			recfile_broken(f, "fit=%.40s, expected any",
				       recfile_str(f, "fit"));
		l->fit_any = true;
	}
	if (record_get(&f->rec, "min_cpus")) {
		cpus = recfile_u64(f, "min_cpus");
		if (cpus < 2 || cpus > CPUS_MAX)
			recfile_broken(f,
				       "min_cpus=%" PRIu64 ", expected 2 to %u",
				       cpus, CPUS_MAX);
		l->min_cpus = (unsigned int)cpus;
	}
	while (role && strcmp(role, role_names[l->role]))
		if (++l->role > ROLE_INFO)
			recfile_broken(f, "role=%.40s, expected %s, %s or %s",
				       role, role_names[0], role_names[1],
				       role_names[2]);
	l->is_info = l->role == ROLE_INFO;
}

void limits_read(struct limits *ls, const char *path)
{
	struct recfile f = { .path = path };
	bool decides = false;

	for (; recfile_next(&f); ls->n++) {
		if (ls->n == LIMITS_MAX)
			recfile_broken(&f, "more than %d limits", LIMITS_MAX);
		parse_limit(ls, &f);
		decides |= ls->l[ls->n].role == ROLE_DECIDE;
	}
	if (!decides)
		recfile_broken(&f, "no limit decides, expected at least one");
}

int limits_check_arms(const struct limits *ls, const char *path, char **arms)
{
	for (unsigned int i = 0; i < ls->n_arms; i++) {
		char **arm = arms;

		while (*arm && strcmp(*arm, ls->arms[i]))
			arm++;
		if (!*arm) {
			fprintf(stderr, "judge: %s:%lu: arm %s, %s\n", path,
				ls->arm_line[i], ls->arms[i],
				"expected one of the arms that are run");
			return 1;
		}
	}
	return 0;
}

unsigned int limits_lack_cpus(const struct limits *ls)
{
	unsigned int least = CPUS_MAX;

	for (unsigned int i = 0; i < ls->n; i++) {
		const struct limit *l = &ls->l[i];

		if (l->role != ROLE_DECIDE)
			continue;
		if (!l->reason || strcmp(l->reason, "few_cpus"))
			return 0;
		if (l->min_cpus < least)
			least = l->min_cpus;
	}
	return least;
}
