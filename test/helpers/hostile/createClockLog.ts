/** Outcomes of one step of the auction clock, from the lines that the Workers log. */
export type StepRecord = {
  failures: number
  /** ticks from the first failure to the last one before a success: they take longer on a busy machine */
  longestFailure: number
  failingSince?: number
  lastCause?: string
}

export type ClockLog = {
  add: (line: string) => void
  steps: Record<string, StepRecord>
  /** the last auction: its block, when it was decided in Unix milliseconds, and how many solutions won */
  readAuction: () => { block: number; at: number; winners: number }
  /** Unix milliseconds of the last success of a step */
  lastSuccess: Record<string, number>
  /** how often the clock has ticked */
  countTicks: () => number
}

/**
 * After so many ticks on a block without an auction none follows: the node fails, or no order is open. On a quiet machine the
 * clock ticks two or three times in a second.
 */
export const fruitlessTicks = 12

type Entry = { message?: string; step?: string; cause?: string; caughtUp?: boolean; block?: number; winners?: number }

/**
 * Reads the log of the Workers as it is written. A step fails from its first failure until the last one before it succeeds.
 */
export const createClockLog = (): ClockLog => {
  const steps: ClockLog['steps'] = {}
  const lastSuccess: ClockLog['lastSuccess'] = {}
  let auction = { block: 0, at: 0, winners: 0 }
  let ticks = 0
  const recordOf = (step: string) => {
    steps[step] ??= { failures: 0, longestFailure: 0 }
    return steps[step]
  }
  const succeed = (step: string) => {
    lastSuccess[step] = Date.now()
    recordOf(step).failingSince = undefined
  }
  const fail = (step: string, cause = '') => {
    const record = recordOf(step)
    record.failingSince ??= ticks
    record.failures += 1
    record.lastCause = cause
    record.longestFailure = Math.max(record.longestFailure, ticks - record.failingSince)
  }
  return {
    steps,
    lastSuccess,
    readAuction: () => auction,
    countTicks: () => ticks,
    add: (line) => {
      const entry = readEntry(line)
      if (entry?.message === 'step failed' && entry.step) fail(entry.step, entry.cause)
      if (entry?.message === 'tick') ticks += 1
      if (entry?.message === 'tick' && entry.caughtUp) succeed('index')
      if (entry?.message === 'auction') {
        auction = { block: entry.block ?? 0, at: Date.now(), winners: entry.winners ?? 0 }
        succeed('auction')
      }
      if (entry?.message === 'settlement') succeed('settle')
    },
  }
}

const readEntry = (line: string): Entry | undefined => {
  const start = line.indexOf('{"message"')
  if (start < 0) return undefined
  try {
    return JSON.parse(line.slice(start)) as Entry
  } catch {
    return undefined
  }
}
