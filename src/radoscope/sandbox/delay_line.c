/* The cables of one host, each with a delay: delay_line NANOSECONDS HOST_NETNS SWITCH_NETNS (HOST_TAP SWITCH_TAP)...
 * Built on first use: cc -O2 -o delay_line delay_line.c
 *
 * A cable is a pair of TAP devices, one in the host's network namespace and one in the switch's; this program carries
 * frames from one to the other. What the host sends is held for the delay, what it receives passes at once: a round trip
 * between two such hosts is longer by two delays, and half of the frames cost no timer. Frames travel with their virtio
 * header, so that unfinished checksums and segments of 64 KiB pass whole, as on a veth. It ends when it is killed; the
 * devices stay, and another one can take its place. "ready" on its output says that frames pass from now on. Where a
 * queue is full or a device is down, frames are lost, as on a real link. Source: Documentation/networking/tuntap.rst, linux/if_tun.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define MOST_CABLES 4
/* A GSO segment of 64 KiB with its Ethernet and virtio headers. */
#define LARGEST_FRAME (68 * 1024)
/* What 10 Gbit/s send within 50 ms; memory that was never needed is never taken. */
#define QUEUE_BYTES (64ull << 20)
/* What a timer may be set early at most, because timers here come late. */
#define MOST_EARLY 100000
/* Frames taken from one device before the others are looked at again. */
#define BATCH 64

struct frame {
  uint64_t due, bytes;
  char content[];
};

/* One direction of a cable. The queue is a ring of frames in the order of their arrival, which is that of their dues:
 * `head` is the next to leave, `tail` where the next will stand, `end` where the ring turned round (0: it has not). */
struct line {
  int from, to;
  uint64_t delay;
  char *queue;
  size_t head, tail, end;
};

static uint64_t early;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * SECOND + time.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static int tap(const char *netns, const char *name) {
  int namespace = open(netns, O_RDONLY | O_CLOEXEC);
  if (namespace < 0 || setns(namespace, CLONE_NEWNET) != 0) fail(netns);
  close(namespace);
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) fail("/dev/net/tun");
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(fd, TUNSETIFF, &request) != 0) fail(name);
  if (ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6) != 0) fail(name);
  return fd;
}

static struct line line(int from, int to, uint64_t delay) {
  char *queue = NULL;
  if (delay > 0) {
    queue = mmap(NULL, QUEUE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (queue == MAP_FAILED) fail("memory for a queue");
  }
  return (struct line){.from = from, .to = to, .delay = delay, .queue = queue};
}

static int is_empty(const struct line *line) { return line->head == line->tail && line->end == 0; }

/* Where one more frame of any size can stand; NULL when the queue is full. */
static struct frame *room(struct line *line) {
  const size_t largest = sizeof(struct frame) + LARGEST_FRAME;
  if (is_empty(line)) line->head = line->tail = 0; /* so that only as much memory is touched as is needed */
  if (line->end == 0 && line->tail + largest > QUEUE_BYTES) {
    line->end = line->tail;
    line->tail = 0;
  }
  if (line->end != 0 && line->tail + largest > line->head) return NULL;
  return (struct frame *)(line->queue + line->tail);
}

static struct frame *first(struct line *line) {
  if (line->end != 0 && line->head == line->end) line->head = line->end = 0;
  return is_empty(line) ? NULL : (struct frame *)(line->queue + line->head);
}

static size_t length(const struct frame *frame) { return (sizeof *frame + frame->bytes + 7) & ~(size_t)7; }

/* A frame that the other device does not take is lost, as it would be on a cable. */
static void deliver(const struct line *line, const char *content, size_t bytes) {
  if (write(line->to, content, bytes) < 0 && errno == EBADFD) fail("a device");
}

/* Takes what has come, and passes it on when there is no delay. */
static void take(struct line *line) {
  static char passing[LARGEST_FRAME];
  for (int i = 0; i < BATCH; i++) {
    struct frame *frame = line->delay > 0 ? room(line) : NULL;
    if (line->delay > 0 && frame == NULL) return;
    ssize_t bytes = read(line->from, frame ? frame->content : passing, LARGEST_FRAME);
    if (bytes <= 0) return;
    if (frame == NULL) {
      deliver(line, passing, bytes);
      continue;
    }
    frame->due = now() + line->delay;
    frame->bytes = bytes;
    line->tail += length(frame);
  }
}

static void release_due(struct line *line) {
  for (struct frame *frame; (frame = first(line)) != NULL && frame->due <= now() + early;) {
    deliver(line, frame->content, frame->bytes);
    line->head += length(frame);
  }
}

/* When the next frame is due; UINT64_MAX when none waits. */
static uint64_t next_due(struct line *lines, int count) {
  uint64_t due = UINT64_MAX;
  for (int i = 0; i < count; i++) {
    struct frame *frame = first(&lines[i]);
    if (frame != NULL && frame->due < due) due = frame->due;
  }
  return due;
}

/* Waits for frames, or for the next one to be due. A virtual machine's timer comes tens of microseconds late: how much
 * so is learnt, and the timer is set that much earlier. */
static void wait_for_work(struct pollfd *polled, struct line *lines, int count) {
  uint64_t due = next_due(lines, count), moment = now(), wait = due > moment + early ? due - early - moment : 0;
  struct timespec left = {wait / SECOND, wait % SECOND};
  int found = ppoll(polled, count, due == UINT64_MAX ? NULL : &left, NULL);
  if (found < 0 && errno != EINTR) fail("poll");
  if (found != 0 || wait == 0) return;
  int64_t late = (int64_t)(now() - moment - wait), learnt = (int64_t)early + (late - (int64_t)early) / 8;
  early = learnt > MOST_EARLY ? MOST_EARLY : learnt;
}

/* A cable does not wait for a processor: ahead of daemons, with a fine timer. Where that is not allowed, as well as it
 * goes: what was achieved is measured anyway. */
static void hurry(void) {
  struct sched_param first = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
  prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
}

int main(int count, char **words) {
  struct line lines[2 * MOST_CABLES];
  struct pollfd polled[2 * MOST_CABLES];
  int used = 0;
  if (count < 6 || (count - 4) % 2 != 0 || (count - 4) / 2 > MOST_CABLES) {
    fprintf(stderr, "delay_line NANOSECONDS HOST_NETNS SWITCH_NETNS (HOST_TAP SWITCH_TAP)...\n");
    return 2;
  }
  for (int i = 4; i < count; i += 2) {
    int host = tap(words[2], words[i]), port = tap(words[3], words[i + 1]);
    lines[used++] = line(host, port, strtoull(words[1], NULL, 10));
    lines[used++] = line(port, host, 0);
  }
  hurry();
  puts("ready");
  fflush(stdout);
  for (;;) {
    for (int i = 0; i < used; i++) {
      int full = lines[i].delay > 0 && room(&lines[i]) == NULL;
      polled[i] = (struct pollfd){full ? -1 : lines[i].from, POLLIN, 0};
    }
    wait_for_work(polled, lines, used);
    for (int i = 0; i < used; i++) {
      if (polled[i].revents & POLLIN) take(&lines[i]);
      release_due(&lines[i]);
    }
  }
}
