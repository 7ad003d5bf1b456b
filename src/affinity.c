// SPDX-License-Identifier: GPL-2.0
/*
 * Which CPU a worker runs on: see affinity.h.
 */
#include <sched.h>
#include <stddef.h>
#include "affinity.h"
#include "bench.h"

void affinity_spread(unsigned int id)
{
	cpu_set_t allowed, one;
	unsigned int nth;
	size_t cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		bench_die("sched_getaffinity");
	nth = id % (unsigned int)CPU_COUNT(&allowed);
	for (cpu = 0; !CPU_ISSET(cpu, &allowed) || nth--; cpu++)
		;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		bench_die("sched_setaffinity CPU %zu", cpu);
}
