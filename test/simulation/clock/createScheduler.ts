/** Runs events in the order of a virtual time; the only source of time and concurrency of a run. */
export type Scheduler = {
  /** virtual time, Unix milliseconds */
  now: () => number
  /** Runs `work` after `delay` milliseconds, behind the events of the same time. */
  after: (delay: number, work: () => unknown) => ScheduledEvent
  /** Stops virtual time while `work` runs outside of it: the database. */
  hold: <T>(work: Promise<T>) => Promise<T>
  /** Runs events until a time. */
  runUntil: (time: number) => Promise<void>
  /** Waits until what has begun waits for events. */
  settle: () => Promise<void>
}

export type ScheduledEvent = { readonly at: number; cancel: () => void }

type Entry = { at: number; order: number; work: (() => unknown) | undefined }

/** Runs its callback when all promises are settled; work of other threads is held (`hold`). */
const drain = setImmediate

/** A scheduler that starts at `startMs`. */
export const createScheduler = (startMs: number): Scheduler => {
  const heap: Entry[] = []
  let now = startMs
  let order = 0

  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)
  const push = (entry: Entry) => {
    let i = heap.push(entry) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = heap[parent] as Entry
      if (!isBefore(entry, above)) break
      heap[i] = above
      i = parent
    }
    heap[i] = entry
  }
  const pop = (): Entry | undefined => {
    const [first] = heap
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child += 1
      if (!isBefore(heap[child] as Entry, last)) break
      heap[i] = heap[child] as Entry
      i = child
    }
    heap[i] = last
    return first
  }
  const held = new Set<Promise<unknown>>()
  const settle = async () => {
    do {
      await new Promise<void>((resolve) => drain(() => resolve()))
      await Promise.allSettled(held)
    } while (held.size > 0)
  }

  return {
    now: () => now,
    after: (delay, work) => {
      order += 1
      const entry: Entry = { at: now + Math.max(0, Math.ceil(delay) || 0), order, work }
      push(entry)
      return {
        at: entry.at,
        cancel: () => {
          entry.work = undefined
        },
      }
    },
    hold: async (work) => {
      held.add(work)
      try {
        return await work
      } finally {
        held.delete(work)
      }
    },
    runUntil: async (time) => {
      for (let next = heap[0]; next && next.at <= time; next = heap[0]) {
        pop()
        if (!next.work) continue
        now = Math.max(now, next.at)
        next.work()
        await settle()
      }
      now = Math.max(now, time)
    },
    settle,
  }
}
