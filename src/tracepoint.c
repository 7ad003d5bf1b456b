// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoint counts by perf_event_open: see tracepoint.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "bench.h"
#include "tracepoint.h"

struct tracepoint {
	char key[64], event[128]; /* event as SYSTEM/EVENT */
	const char *filter; /* NULL = none */
	bool task; /* of this program alone, on any CPU */
	int *fds; /* one, or one a CPU that is online; NULL = unsupported */
	int nr;
};

static struct tracepoint points[TRACEPOINT_MAX];
static int nr_points;

static const char *add(const char *spec, bool task)
{
	static const char small[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	static const char name[] = "abcdefghijklmnopqrstuvwxyz0123456789_"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct tracepoint *p = &points[nr_points];
	size_t key = strspn(spec, small), system, event;
	const char *s = spec + key + 1;
	int i;

	if (nr_points == TRACEPOINT_MAX)
		return "no more than 8 counts";
	if (spec[0] < 'a' || spec[key] != '=' || key >= sizeof(p->key))
		return "KEY=SYSTEM:EVENT[:FILTER], KEY of [a-z][a-z0-9_]*";
	system = strspn(s, name);
	event = s[system] == ':' ? strspn(s + system + 1, name) : 0;
	if (!system || !event || system + event + 2 > sizeof(p->event) ||
	    !strchr(":", s[system + 1 + event]))
		return "KEY=SYSTEM:EVENT[:FILTER]";
	snprintf(p->key, sizeof(p->key), "%.*s", (int)key, spec);
	snprintf(p->event, sizeof(p->event), "%.*s/%.*s", (int)system, s,
		 (int)event, s + system + 1);
	s += system + 1 + event;
	p->filter = *s == ':' ? s + 1 : NULL;
	if (p->filter && !*p->filter)
		return "a FILTER after the second ':'";
	for (i = 0; i < nr_points; i++)
		if (!strcmp(points[i].key, p->key))
			return "a KEY that is not counted already";
	p->task = task;
	nr_points++;
	return NULL;
}

const char *tracepoint_add(const char *spec)
{
	return add(spec, false);
}

const char *tracepoint_add_task(const char *spec)
{
	return add(spec, true);
}

/* The event's number for perf, 0 with why filled in where it has none. */
static unsigned long long event_id(const char *event, char *why, size_t size)
{
	static const char *const dirs[] = { "/sys/kernel/tracing",
					    "/sys/kernel/debug/tracing" };
	unsigned long long id = 0;
	char path[256];
	FILE *fp = NULL;
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/events", dirs[i]);
		if (!access(path, X_OK))
			break;
	}
	if (i == 2) {
		snprintf(why, size, "no tracefs is mounted at %s or %s",
			 dirs[0], dirs[1]);
		return 0;
	}
	snprintf(path, sizeof(path), "%s/events/%s/id", dirs[i], event);
	fp = fopen(path, "re");
	if (!fp || fscanf(fp, "%llu", &id) != 1 || !id)
		snprintf(why, size, "%s: %s", path,
			 fp ? "no number in it" : strerror(errno));
	if (fp)
		fclose(fp);
	return id;
}

/*
 * Opens one event, on all CPUs or of this thread and all that it starts from
 * now on; false with why filled in.
 */
static bool point_open(struct tracepoint *p, char *why, size_t size)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.size = sizeof(attr),
					.read_format =
						PERF_FORMAT_TOTAL_TIME_ENABLED,
					.disabled = 1,
					.inherit = p->task };
	long cpu, cpus = p->task ? 1 : sysconf(_SC_NPROCESSORS_CONF);
	long fd;

	attr.config = event_id(p->event, why, size);
	if (!attr.config)
		return false;
	p->fds = calloc((size_t)cpus, sizeof(*p->fds));
	for (cpu = 0; p->fds && cpu < cpus; cpu++) {
		fd = syscall(SYS_perf_event_open, &attr, p->task ? 0 : -1,
			     p->task ? -1 : (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd < 0 && errno == ENODEV) /* this CPU is offline */
			continue;
		if (fd < 0) {
			snprintf(why, size, "perf_event_open: %s",
				 strerror(errno));
			return false;
		}
		p->fds[p->nr++] = (int)fd;
		if (p->filter &&
		    ioctl((int)fd, PERF_EVENT_IOC_SET_FILTER, p->filter)) {
			snprintf(why, size, "filter '%s': %s", p->filter,
				 strerror(errno));
			return false;
		}
	}
	if (!p->nr)
		snprintf(why, size, "no CPU takes it");
	return p->nr > 0;
}

void tracepoint_open(const char *name)
{
	char why[512];
	struct rlimit lim;
	int i;

	/* A descriptor a CPU and event: more than the usual soft limit. */
	if (nr_points && !getrlimit(RLIMIT_NOFILE, &lim)) {
		lim.rlim_cur = lim.rlim_max;
		setrlimit(RLIMIT_NOFILE, &lim);
	}
	for (i = 0; i < nr_points; i++) {
		struct tracepoint *p = &points[i];

		if (point_open(p, why, sizeof(why)))
			continue;
		fprintf(stderr, "%s: --count %s=unsupported: %s\n", name,
			p->key, why);
		while (p->nr)
			close(p->fds[--p->nr]);
	}
}

/* An ioctl that failed shows in tracepoint_record: no time enabled. */
static void control(unsigned long request)
{
	int i, k;

	for (i = 0; i < nr_points; i++)
		for (k = 0; k < points[i].nr; k++)
			ioctl(points[i].fds[k], request, 0);
}

void tracepoint_enable(void)
{
	control(PERF_EVENT_IOC_ENABLE);
}

void tracepoint_disable(void)
{
	control(PERF_EVENT_IOC_DISABLE);
}

void tracepoint_record(struct record *r)
{
	struct {
		uint64_t count, enabled_ns;
	} value;
	struct tracepoint *p;
	uint64_t sum;
	int k;

	for (p = points; p < points + nr_points; p++) {
		if (!p->nr) {
			bench_put_str(r, p->key, "unsupported");
			continue;
		}
		for (sum = 0, k = 0; k < p->nr; k++, sum += value.count) {
			if (read(p->fds[k], &value, sizeof(value)) < 0)
				bench_die("read count %s", p->key);
			if (!value.enabled_ns)
				bench_broken("count %s never began", p->key);
		}
		bench_put_u64(r, p->key, sum);
	}
}
