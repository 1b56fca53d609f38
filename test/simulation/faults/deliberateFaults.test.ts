import { describe, expect, test } from 'vitest'
import { runSimulation } from '../runSimulation.ts'

/** The fault, the invariant that it breaks, and the seed that begins. A change of the service may need a later one. */
const found = [
  ['cheapGas', 'loss', 1],
  ['doubleFee', 'fees', 1],
  ['forgottenBackOff', 'back-off', 4],
  ['forgottenHooks', 'hooks', 2],
  ['generousQuote', 'quotes', 1],
  ['lostAlarm', 'progress', 8],
  ['lostCorrection', 'notifications', 15],
  ['lostEvent', 'invalidations', 10],
  ['lostLimit', 'waiting requests', 1],
  ['lostMessage', 'notifications', 5],
  ['lostProtocolFee', 'owed fees', 1],
  ['missingLock', 'steps', 1],
  ['nonceGap', 'nonces', 1],
  ['reportOffByOne', 'public', 1],
  ['restlessClock', 'node calls', 1],
  ['scoreOffByOne', 'score', 1],
  ['skippingCursor', 'subscribers', 1],
  ['staleBalance', 'fills', 8],
  ['unstableKey', 'notifications', 1],
  ['wrongRounding', 'score', 1],
] as const
const seeds = '20'
const blocks = '40'

describe('simulations find a deliberate fault', () => {
  test.each(found)(
    '%s breaks the invariant %s',
    async (name, invariant, firstSeed) => {
      const args = ['--seed', `${firstSeed}`, '--seeds', seeds, '--blocks', blocks]
      const { code, output } = await runSimulation(args, name)
      expect(output).toContain(`\n${invariant}: `)
      expect(code).toBe(1)
    },
    600_000,
  )
})
