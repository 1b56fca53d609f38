import type { Address } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/startSolver.ts'
import { askQuote } from './askQuote.ts'

const sellToken: Address = '0x1000000000000000000000000000000000000001'
const buyToken: Address = '0x2000000000000000000000000000000000000002'
const timing = { now: () => 1_800_000_000_000, timeoutMs: 500 }

let running: RunningSolver | undefined
afterEach(() => running?.stop())
const ask = async (listener: Parameters<typeof startSolver>[1], kind: 'sell' | 'buy', amount = 100n) => {
  running = await startSolver('direct', listener, { timeoutMs: 400 })
  return askQuote(running.solver, { sellToken, buyToken, kind, amount }, timing)
}
const kind = (word: string) => expect.objectContaining({ name: 'SolverError', kind: word })

describe('askQuote', () => {
  test('asks in the words of the driver API, with the solver’s own deadline', async () => {
    await ask(quotingAt({ [sellToken]: 1n, [buyToken]: 1n }), 'sell')
    expect(running?.asked[0]?.pathname).toBe('/quote')
    expect(Object.fromEntries(running?.asked[0]?.searchParams ?? [])).toEqual({
      sellToken,
      buyToken,
      amount: '100',
      kind: 'sell',
      deadline: '2027-01-15T08:00:00.400Z',
    })
  })

  test('what is bought is rounded up, what is sold is rounded down', async () => {
    const listener = quotingAt({ [sellToken]: 2n, [buyToken]: 3n }, { gas: 7 })
    expect(await ask(listener, 'sell')).toMatchObject({ sellAmount: 100n, buyAmount: 67n, gas: 7n })
    await running?.stop()
    const inverse = quotingAt({ [sellToken]: 3n, [buyToken]: 2n })
    expect(await ask(inverse, 'buy')).toMatchObject({ sellAmount: 66n, buyAmount: 100n, gas: undefined })
  })

  test.each([
    ['no price of one token', { [sellToken]: '1' }],
    ['a price of zero', { [sellToken]: '0', [buyToken]: '1' }],
    ['an amount above 2²⁵⁶', { [sellToken]: (2n ** 255n).toString(), [buyToken]: '1' }],
    ['a negative price', { [sellToken]: '-1', [buyToken]: '1' }],
  ])('%s is garbage', async (_, clearingPrices) => {
    const answer = answering({ clearingPrices, interactions: [], solver: sellToken })
    await expect(ask(answer, 'sell')).rejects.toEqual(kind('Garbage'))
  })

  test('an amount that rounds to nothing is garbage', async () => {
    await expect(ask(quotingAt({ [sellToken]: 1_000n, [buyToken]: 1n }), 'buy')).rejects.toEqual(kind('Garbage'))
  })

  test('more call data than a transaction can carry is garbage', async () => {
    const interaction = { target: sellToken, value: '0', callData: `0x${'00'.repeat(50_000)}` }
    const answer = (count: number) =>
      answering({
        clearingPrices: { [sellToken]: '1', [buyToken]: '1' },
        interactions: Array(count).fill(interaction),
        solver: sellToken,
      })
    await expect(ask(answer(3), 'sell')).rejects.toEqual(kind('Garbage'))
    await running?.stop()
    expect((await ask(answer(2), 'sell')).interactions).toHaveLength(2)
  })

  test('a refusal keeps its word', async () => {
    await expect(ask(quotingAt({}), 'sell')).rejects.toEqual(kind('QuotingFailed'))
  })

  test('a late answer is none', async () => {
    const late = quotingAt({ [sellToken]: 1n, [buyToken]: 1n }, { afterMs: 2_000 })
    await expect(ask(late, 'sell')).rejects.toEqual(kind('Timeout'))
  })
})
