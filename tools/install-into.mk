# SPDX-License-Identifier: GPL-2.0
#
# The helpers of fsratio, put here by its make install-into.

CFLAGS = -O2 -g
COMPILE = $(CC) -std=gnu11 -D_GNU_SOURCE -pthread -Wall $(CFLAGS)

@LISTS@
CASES = $(patsubst src/wis/%.c,wis_%,$(wildcard src/wis/*.c))
PROGRAMS = $(HELPERS) $(CASES) judge fsstress fsx

default all: $(PROGRAMS)

$(HELPERS): %: src/%.o src/libbench.a
$(CASES): wis_%: src/wis/%.o $(WIS:%=src/%.o) src/libbench.a
judge: $(JUDGE:%=src/%.o)
fsstress: $(FSSTRESS:%=ltp/%.o) src/fsdev.o src/record.o
fsx: $(FSX:%=ltp/%.o) src/record.o

$(PROGRAMS):
	$(CC) -pthread $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

src/libbench.a: $(LIBBENCH:%=src/%.o)
	rm -f $@
	ar rcs $@ $^

src/wis/%.o: src/wis/%.c
	$(CC) -pthread -Wall -include string.h $(CFLAGS) -UNDEBUG -c -o $@ $<

%.o: %.c $(wildcard src/*.h ltp/*.h)
	$(COMPILE) -c -o $@ $<

clean:
	rm -f $(PROGRAMS) src/*.o src/wis/*.o ltp/*.o src/libbench.a

.PHONY: default all clean
