import { beforeEach, describe, expect, test } from 'vitest'
import { computePatience, createSolverPace, type Race, type SolverPace } from './createSolverPace.ts'
import { SolverError } from './requestSolver.ts'

describe('computePatience', () => {
  const healthy = { latencies: [100, 120, 140], failures: 0 }
  test.each([
    ['three times the usual latency of a solver', healthy, 50, true, 420],
    ['the same in whatever order it responded', { latencies: [140, 120, 100], failures: 0 }, 50, true, 420],
    ['never less than 300 ms', { latencies: [10, 10, 10], failures: 0 }, 5, true, 300],
    ['at most 1.5 s when the fastest response is quick', { latencies: [900, 900, 900], failures: 0 }, 50, true, 1_500],
    ['more when all solvers are slow', { latencies: [900, 900, 900], failures: 0 }, 800, true, 2_700],
    ['eight times the fastest response at most', { latencies: [4_900, 4_900, 4_900], failures: 0 }, 250, true, 2_000],
    ['1.5 s for a solver that is not known', { latencies: [10], failures: 2 }, 5, true, 1_500],
    ['300 ms for a solver that keeps failing', { latencies: [10, 10, 10], failures: 3 }, 5, true, 300],
    ['the deadline after refusals alone', healthy, 50, false, undefined],
    ['300 ms for a solver that keeps failing, after refusals too', { latencies: [], failures: 3 }, 5, false, 300],
  ] as const)('is %s', (_, record, fastestMs, hasOffer, patienceMs) => {
    expect(computePatience(record, fastestMs, hasOffer)).toBe(patienceMs)
  })
})

let now: number
let timers: { at: number; work: () => void }[]
let background: Promise<unknown>[]
let pace: SolverPace

beforeEach(() => {
  now = 1_000_000
  timers = []
  background = []
  pace = createSolverPace({
    now: () => now,
    schedule: (work, ms) => {
      const timer = { at: now + ms, work }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  })
})

const settle = () => new Promise((resolve) => setImmediate(resolve))

const advance = async (ms: number) => {
  for (const until = now + ms; now < until; ) {
    await settle()
    now += 10
    for (const { work } of timers.filter(({ at }) => at <= now)) work()
    timers = timers.filter(({ at }) => at > now)
  }
  await settle()
}

type Called = { ms: number | undefined; isAborted: boolean; outcome: string }

/** Calls a solver that responds after some time; undefined: never. */
const call = (race: Race, solver: string, afterMs: number | undefined, kind?: string): Called => {
  const called: Called = { ms: undefined, isAborted: false, outcome: 'pending' }
  const startedAt = now
  race
    .call(
      solver,
      (signal) =>
        new Promise<string>((resolve, reject) => {
          signal.addEventListener('abort', () => {
            called.isAborted = true
            reject(new SolverError('Timeout', 'aborted'))
          })
          if (afterMs === undefined) return
          const respond = () => (kind ? reject(new SolverError(kind, '')) : resolve('offer'))
          timers.push({ at: now + afterMs, work: respond })
        }),
    )
    .then(
      (offer) => Object.assign(called, { ms: now - startedAt, outcome: offer }),
      (error: SolverError) => Object.assign(called, { ms: now - startedAt, outcome: error.kind }),
    )
  return called
}

const startRace = () => pace.startRace((work) => background.push(work))

/** One request to an honest solver and another one. */
const race = async (honestMs: number, otherMs: number | undefined) => {
  const started = startRace()
  const honest = call(started, 'honest', honestMs)
  const other = call(started, 'other', otherMs)
  await advance(6_000)
  return { honest, other }
}

describe('a race', () => {
  test('gives a silent solver 1.5 s at first and 300 ms after three failures', async () => {
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 5; i += 1) waits.push((await race(50, undefined)).other.ms)
    expect(waits).toEqual([1_500, 1_500, 1_500, 300, 300])
  })

  test('waits for every solver to its deadline while no solver has responded', async () => {
    for (let i = 0; i < 5; i += 1) await race(50, undefined)
    const started = startRace()
    const alone = call(started, 'other', 4_000)
    await advance(4_100)
    expect(alone).toMatchObject({ ms: 4_000, outcome: 'offer' })
  })

  test('changes nothing while all solvers are healthy', async () => {
    for (let i = 0; i < 20; i += 1) expect((await race(50, 400)).other).toMatchObject({ ms: 400, outcome: 'offer' })
    expect((await race(50, 1_190)).other).toMatchObject({ ms: 1_190, outcome: 'offer' })
    expect(background).toEqual([])
  })

  test('waits for the offer of a slow solver when the others have no route', async () => {
    for (let i = 0; i < 5; i += 1) await race(50, 100)
    const started = startRace()
    call(started, 'honest', 50, 'QuotingFailed')
    const slow = call(started, 'other', 3_000)
    await advance(3_100)
    expect(slow).toMatchObject({ ms: 3_000, outcome: 'offer' })
  })

  test('finds a solver that has recovered, though it takes longer than the short time', async () => {
    for (let i = 0; i < 5; i += 1) await race(50, undefined)
    expect((await race(50, 800)).other.outcome).toBe('Timeout')
    await advance(10_000)
    expect((await race(50, 800)).other.outcome).toBe('Timeout')
    expect((await race(50, 800)).other).toMatchObject({ ms: 800, outcome: 'offer' })
  })

  test('aborts an abandoned call, except for probes of latency', async () => {
    const aborted: boolean[] = []
    for (let i = 0; i < 6; i += 1) aborted.push((await race(50, undefined)).other.isAborted)
    // a probe every ten seconds; each race takes six
    expect(aborted).toEqual([false, false, false, true, false, true])
    expect(background).toHaveLength(4)
  })

  test('counts an abandoned call that fails later as one failure', async () => {
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 4; i += 1) {
      const started = startRace()
      call(started, 'honest', 50)
      const late = call(started, 'other', 3_000, 'Unreachable')
      await advance(6_000)
      waits.push(late.ms)
    }
    expect(waits).toEqual([1_500, 1_500, 1_500, 300])
  })

  test('does not hold the short deadline of a client against a solver', async () => {
    for (let i = 0; i < 5; i += 1) {
      const started = startRace()
      call(started, 'other', 10, 'Timeout')
      await advance(20)
    }
    expect((await race(50, 400)).other).toMatchObject({ ms: 400, outcome: 'offer' })
  })

  test('is not slowed down by a solver that responds just before each deadline', async () => {
    for (let i = 0; i < 10; i += 1) await race(50, 4_900)
    const { honest, other } = await race(50, 4_900)
    expect(honest.ms).toBe(50)
    expect(other.ms).toBeLessThanOrEqual(1_500)
  })
})
