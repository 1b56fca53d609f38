import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'

/** Turns of the event loop in which a process that was held up catches up with what has arrived meanwhile. */
const turns = 20

/**
 * Expects that work settles before a timer of the same process which begins with it. Unlike a measured time this holds on
 * a busy machine, too: while the process waits for a processor, both wait.
 * @param ms of the timer
 */
export const settlesBefore = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const done = new AbortController()
  let isOver = false
  const timer = (async () => {
    await sleep(ms, undefined, { signal: done.signal })
    for (let i = 0; i < turns; i += 1) await setImmediate(undefined, { signal: done.signal })
    isOver = true
  })().catch(() => undefined)
  try {
    return await work
  } finally {
    done.abort()
    await timer
    expect(isOver, `${ms} ms were over`).toBe(false)
  }
}

/** Expects that work settles after a timer of the same process which begins with it. */
export const settlesAfter = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
  }, ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    expect(isOver, `${ms} ms were over`).toBe(true)
  }
}
