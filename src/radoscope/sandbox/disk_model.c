/* A disk model for a process that uses libaio, pread/pwrite and fsync: LD_PRELOAD it, and name its parameter file in
 * RADOSCOPE_DISK. Built on first use: cc -O2 -shared -fPIC -o disk_model.so disk_model.c -ldl -lpthread
 *
 * A request goes to the real disk at once; that it is done is told when the modelled disk would have done it, or when
 * the real one has, whichever is later. A modelled flush stands in for the real one: what it would have secured is lost
 * only if the whole machine stops, and a sandbox is thrown away then. A write to a file that was opened with O_SYNC or
 * O_DSYNC ends with a modelled flush; the flag is kept from the kernel, which would flush the real disk as well.
 *
 * The file holds six uint64 in the machine's byte order and may be changed at any time: nanoseconds of a flush, of a
 * write, of a read; requests served at once (0: any number); bytes a second (0: no limit); jitter in percent. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define MOST_CHANNELS 256
#define MOST_PENDING 8192
#define BUCKETS 1024
#define BATCH 64
#define MOST_FILES 65536

struct parameters {
  volatile uint64_t flush_ns, write_ns, read_ns, channels, bytes_per_s, jitter_percent;
};

/* The kernel's layout, from linux/aio_abi.h, so that libaio's headers are not needed. */
struct iocb {
  void *data;
  uint32_t key, flags;
  uint16_t operation;
  int16_t priority;
  uint32_t fd;
  void *buffer;
  uint64_t bytes;
  int64_t offset;
};
struct io_event {
  void *data;
  struct iocb *request;
  long result, result2;
};
enum { PREAD = 0, PREADV = 7, PWRITEV = 8 };

static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_open)(const char *, int, ...);
static int (*real_io_submit)(void *, long, struct iocb **);
static int (*real_io_getevents)(void *, long, long, struct io_event *, struct timespec *);
static ssize_t (*real_pread)(int, void *, size_t, off_t), (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_preadv)(int, const struct iovec *, int, off_t), (*real_pwritev)(int, const struct iovec *, int, off_t);

static const struct parameters *disk;
static char flushes_itself[MOST_FILES]; /* by descriptor: opened with O_SYNC or O_DSYNC */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, flush_lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * SECOND + time.tv_nsec;
}

static void sleep_until(uint64_t moment) {
  struct timespec time = {moment / SECOND, moment % SECOND};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {
  }
}

static void load_parameters(void) {
  const char *path = getenv("RADOSCOPE_DISK");
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(struct parameters), PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) disk = mapped;
}

/* Bounded waiting: pending requests, found by their iocb, in chains out of one pool. */
static struct pending {
  struct iocb *request;
  uint64_t due;
  struct pending *next;
} pool[MOST_PENDING], *unused, *chains[BUCKETS];

static struct pending **chain_of(struct iocb *request) { return &chains[((uintptr_t)request >> 6) % BUCKETS]; }

static void remember(struct iocb *request, uint64_t due) {
  pthread_mutex_lock(&lock);
  struct pending *entry = unused;
  if (entry) { /* beyond the pool a request is simply not delayed */
    unused = entry->next;
    *entry = (struct pending){request, due, *chain_of(request)};
    *chain_of(request) = entry;
  }
  pthread_mutex_unlock(&lock);
}

static uint64_t recall(struct iocb *request) {
  uint64_t due = 0;
  pthread_mutex_lock(&lock);
  for (struct pending **at = chain_of(request); *at; at = &(*at)->next) {
    struct pending *entry = *at;
    if (entry->request != request) continue;
    due = entry->due;
    *at = entry->next;
    entry->next = unused;
    unused = entry;
    break;
  }
  pthread_mutex_unlock(&lock);
  return due;
}

__attribute__((constructor)) static void begin(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_io_submit = dlsym(RTLD_NEXT, "io_submit");
  real_io_getevents = dlsym(RTLD_NEXT, "io_getevents");
  real_pread = dlsym(RTLD_NEXT, "pread64");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_preadv = dlsym(RTLD_NEXT, "preadv64");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
  for (int i = 0; i < MOST_PENDING; i++) {
    pool[i].next = unused;
    unused = &pool[i];
  }
  prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0); /* 1 us instead of 50; threads inherit it */
  load_parameters();
}

/* xorshift64 (Marsaglia 2003), under the lock. */
static uint64_t varied(uint64_t ns) {
  static uint64_t state = 88172645463325252ull;
  uint64_t percent = disk->jitter_percent;
  if (percent == 0) return ns;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return ns / 100 * (100 - percent + state % (2 * percent + 1));
}

/* When the modelled disk will have served a request that comes now. A request takes the channel that is free first. */
static uint64_t due_after(uint64_t service_ns, uint64_t bytes) {
  static uint64_t channel_free[MOST_CHANNELS], link_free;
  uint64_t rate = disk->bytes_per_s, channels = disk->channels, start = now(), due;
  if (service_ns == 0 && rate == 0) return 0;
  pthread_mutex_lock(&lock);
  due = start + varied(service_ns);
  if (channels > 0) {
    unsigned first = 0, count = channels < MOST_CHANNELS ? channels : MOST_CHANNELS;
    for (unsigned i = 1; i < count; i++)
      if (channel_free[i] < channel_free[first]) first = i;
    if (channel_free[first] > start) due += channel_free[first] - start;
    channel_free[first] = due;
  }
  if (rate > 0) {
    link_free = (link_free > start ? link_free : start) + bytes * SECOND / rate;
    if (link_free > due) due = link_free;
  }
  pthread_mutex_unlock(&lock);
  return due;
}

static int is_read(const struct iocb *request) { return request->operation == PREAD || request->operation == PREADV; }

static uint64_t vector_bytes(const struct iovec *vector, uint64_t count) {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < count; i++) bytes += vector[i].iov_len;
  return bytes;
}

static uint64_t request_bytes(const struct iocb *request) {
  if (request->operation == PREADV || request->operation == PWRITEV)
    return vector_bytes(request->buffer, request->bytes);
  return request->bytes;
}

static int ends_with_flush(int fd) { return disk && fd >= 0 && fd < MOST_FILES && flushes_itself[fd]; }

static uint64_t flush_time(void) {
  pthread_mutex_lock(&lock);
  uint64_t time = varied(disk->flush_ns);
  pthread_mutex_unlock(&lock);
  return time;
}

int io_submit(void *context, long count, struct iocb **requests) {
  if (!disk) return real_io_submit(context, count, requests);
  for (long i = 0; i < count; i++) {
    uint64_t service = is_read(requests[i]) ? disk->read_ns : disk->write_ns;
    uint64_t due = due_after(service, request_bytes(requests[i]));
    if (!is_read(requests[i]) && ends_with_flush(requests[i]->fd)) due = (due ? due : now()) + flush_time();
    if (due) remember(requests[i], due);
  }
  int accepted = real_io_submit(context, count, requests);
  for (long i = accepted < 0 ? 0 : accepted; i < count; i++) recall(requests[i]);
  return accepted;
}

/* Completions that the real disk has told and the modelled one has not; each thread reaps a context of its own. */
static __thread struct {
  struct io_event event;
  uint64_t due;
} held[MOST_PENDING];
static __thread int held_count;

static int release_due(struct io_event *events, long most) {
  uint64_t moment = now();
  int released = 0;
  for (int i = 0; i < held_count && released < most;) {
    if (held[i].due > moment) {
      i++;
      continue;
    }
    events[released++] = held[i].event;
    held[i] = held[--held_count];
  }
  return released;
}

static uint64_t earliest_due(void) {
  uint64_t first = UINT64_MAX;
  for (int i = 0; i < held_count; i++)
    if (held[i].due < first) first = held[i].due;
  return first;
}

int io_getevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout) {
  if (!disk) return real_io_getevents(context, least, most, events, timeout);
  uint64_t end = timeout ? now() + timeout->tv_sec * SECOND + timeout->tv_nsec : UINT64_MAX;
  for (int released = 0;;) {
    released += release_due(events + released, most - released);
    uint64_t moment = now();
    if ((released > 0 && released >= least) || moment >= end) return released;
    uint64_t wake = earliest_due() < end ? earliest_due() : end;
    uint64_t wait = wake == UINT64_MAX ? 3600 * SECOND : wake > moment ? wake - moment : 0;
    struct timespec limit = {wait / SECOND, wait % SECOND};
    struct io_event told[BATCH];
    int room = MOST_PENDING - held_count < BATCH ? MOST_PENDING - held_count : BATCH;
    int count = real_io_getevents(context, 1, room, told, &limit);
    if (count < 0) return released > 0 ? released : count;
    for (int i = 0; i < count; i++, held_count++) {
      held[held_count].event = told[i];
      held[held_count].due = recall(told[i].request);
    }
  }
}

static void flush_modelled(void) {
  pthread_mutex_lock(&flush_lock); /* one flush at a time, as on a disk */
  sleep_until(now() + flush_time());
  pthread_mutex_unlock(&flush_lock);
}

static int flush(int (*real)(int), int fd) {
  if (!disk || disk->flush_ns == 0) return real(fd);
  flush_modelled();
  return 0;
}

int fsync(int fd) { return flush(real_fsync, fd); }
int fdatasync(int fd) { return flush(real_fdatasync, fd); }

static int opened(const char *path, int flags, mode_t mode) {
  int flushes = disk && disk->flush_ns && (flags & O_DSYNC); /* O_SYNC includes the bit */
  int fd = real_open(path, flushes ? flags & ~O_SYNC : flags, mode);
  if (fd >= 0 && fd < MOST_FILES) flushes_itself[fd] = flushes;
  return fd;
}

static mode_t mode_of(int flags, va_list more) {
  return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return opened(path, flags | O_LARGEFILE, mode);
}

static ssize_t delayed(ssize_t result, uint64_t due) {
  if (due) sleep_until(due);
  return result;
}

static ssize_t written(int fd, ssize_t result, uint64_t due) {
  delayed(result, due);
  if (ends_with_flush(fd)) flush_modelled();
  return result;
}

ssize_t pread64(int fd, void *buffer, size_t bytes, off_t offset) {
  uint64_t due = disk ? due_after(disk->read_ns, bytes) : 0;
  return delayed(real_pread(fd, buffer, bytes, offset), due);
}

ssize_t pwrite64(int fd, const void *buffer, size_t bytes, off_t offset) {
  uint64_t due = disk ? due_after(disk->write_ns, bytes) : 0;
  return written(fd, real_pwrite(fd, buffer, bytes, offset), due);
}

ssize_t preadv64(int fd, const struct iovec *vector, int count, off_t offset) {
  uint64_t due = disk ? due_after(disk->read_ns, vector_bytes(vector, count)) : 0;
  return delayed(real_preadv(fd, vector, count, offset), due);
}

ssize_t pwritev64(int fd, const struct iovec *vector, int count, off_t offset) {
  uint64_t due = disk ? due_after(disk->write_ns, vector_bytes(vector, count)) : 0;
  return written(fd, real_pwritev(fd, vector, count, offset), due);
}
