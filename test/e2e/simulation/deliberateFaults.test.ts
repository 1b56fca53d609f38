import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runSeeds } from '../../simulation/parallel/runSeeds.ts'
import { startChild } from '../../simulation/parallel/startChild.ts'
import type { RunTerms } from '../../simulation/simulate.ts'

/** The fault, the invariant that it breaks, and the seed that begins. A change of the service may need a later one. */
const found = [
  ['acceptedNothing', 'listed', 54],
  ['blamedSolver', 'honest suspended', 10],
  ['cheapGas', 'loss', 1],
  ['doubleFee', 'fees', 1],
  ['forgottenHooks', 'hooks', 12],
  ['forgottenQuote', 'owed fees', 6],
  ['forgivenMismatch', 'outcomes', 1],
  ['generousQuote', 'quotes', 1],
  ['largerSide', 'earnings', 1],
  ['lostAlarm', 'progress', 4],
  ['lostCorrection', 'notifications', 78],
  ['lostEvent', 'invalidations', 31],
  ['lostLimit', 'waiting requests', 3],
  ['lostMessage', 'notifications', 1],
  ['lostProtocolFee', 'owed fees', 1],
  ['mildSuspension', 'suspended', 1],
  ['missingLock', 'steps', 1],
  ['nonceGap', 'nonces', 1],
  ['openRefusal', 'responses', 92],
  ['provenByAnyPool', 'earnings', 2],
  ['reportOffByOne', 'public', 1],
  ['restlessClock', 'node calls', 1],
  ['restlessList', 'rows', 30],
  ['scoreOffByOne', 'score', 1],
  ['separateCaps', 'owed fees', 7],
  ['skippingCursor', 'subscribers', 5],
  ['staleBalance', 'fills', 59],
  ['uncheckedReveal', 'best price', 46],
  ['unrankedPrice', 'best price', 21],
  ['unstableKey', 'notifications', 1],
  ['wrongRounding', 'score', 1],
] as const
/** The same with the actors without which nothing would show it, and the seed that begins. */
const honest = ['trader 0', 'trader 1', 'trader 2']
const foundBy = [
  ['blamedMoves', 'yielded', 'pool mover', 1],
  ['freePlaces', 'fills', 'dust trader', 1],
  ['judgedByNativePrices', 'exclusions', 'pool maker', 9],
  ['lateParts', 'parts', 'strategist', 1],
  ['lostTurns', 'fills', 'clashing trader', 1],
  ['uncomparedFills', 'trades', 'forgetful node', 1],
  ['undampedOutcomes', 'events', 'ending trader', 1],
  ['worthlessFees', 'worthless fees', 'self trader', 1],
] as const
const count = 20
const blocks = 40
/** a seed without a fault */
const sound = { seed: 6, blocks: 8 }

/** One process for all faults: it reuses compiled code. */
let child: ReturnType<typeof startChild> | undefined
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  child?.end()
  child = undefined
})
afterAll(() => child?.end())

type Report = { isSound: boolean; output: string }

const run = async (first: number, seeds: number, terms: Omit<RunTerms, 'seed'>): Promise<Report> => {
  child ??= startChild()
  const runner = child
  let output = ''
  const isSound = await runSeeds({
    ...{ first, count: seeds, jobs: 1, budget: 0 },
    startRunner: () => ({
      run: (seed, tell) => runner.run({ ...terms, seed, shrinks: false, logFile: '' }, tell),
      end: () => undefined,
    }),
    write: (line) => {
      output += `${line}\n`
    },
    tellProgress: () => undefined,
  })
  return { isSound, output }
}

describe('simulations find a deliberate fault', () => {
  let before: Report
  beforeAll(async () => {
    before = await run(sound.seed, 1, sound)
  }, 600_000)

  test.each(found)(
    '%s breaks the invariant %s',
    async (fault, invariant, firstSeed) => {
      const { isSound, output } = await run(firstSeed, count, { blocks, fault })
      expect(output).toContain(`\n${invariant}: `)
      expect(isSound).toBe(false)
    },
    600_000,
  )

  test.each(foundBy)(
    '%s breaks the invariant %s in the runs of a %s',
    async (fault, invariant, actor, firstSeed) => {
      const { isSound, output } = await run(firstSeed, count, { blocks, fault, only: [...honest, actor] })
      expect(output).toContain(`\n${invariant}: `)
      expect(isSound).toBe(false)
    },
    600_000,
  )

  test('a run after all of them is the same as before', async () => {
    expect(before).toMatchObject({ isSound: true, output: expect.stringContaining('sha256') })
    expect(await run(sound.seed, 1, sound)).toEqual(before)
  }, 600_000)
})
