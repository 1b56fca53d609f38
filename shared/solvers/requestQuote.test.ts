import type { Address } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { requestQuote } from './requestQuote.ts'

const sellToken: Address = '0x1000000000000000000000000000000000000001'
const buyToken: Address = '0x2000000000000000000000000000000000000002'
const now = () => 1_800_000_000_000

let running: RunningSolver | undefined
afterEach(() => running?.stop())
const ask = async (
  listener: Parameters<typeof startSolver>[1],
  kind: 'sell' | 'buy',
  amount = 100n,
  timeoutMs = 20_000,
) => {
  running = await startSolver('direct', listener, { timeoutMs })
  return requestQuote(running.solver, { sellToken, buyToken, kind, amount }, { now, timeoutMs: timeoutMs + 100 })
}
const kind = (word: string) => expect.objectContaining({ name: 'SolverError', kind: word })

describe('requestQuote', () => {
  test('sends a request of the driver API, with the solver’s own deadline', async () => {
    await ask(quotingAt({ [sellToken]: 1n, [buyToken]: 1n }), 'sell')
    expect(running?.asked[0]?.pathname).toBe('/quote')
    expect(Object.fromEntries(running?.asked[0]?.searchParams ?? [])).toEqual({
      sellToken,
      buyToken,
      amount: '100',
      kind: 'sell',
      deadline: '2027-01-15T08:00:20.000Z',
    })
  })

  test('rounds bought amounts up and sold amounts down', async () => {
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

  describe('accepts what drivers of the public system send', () => {
    const address = '"0x5000000000000000000000000000000000000005"'
    const call = `{"target":${address},"value":"0x0","callData":"0x"}`
    const prices = `"clearingPrices":{"${sellToken}":"0x2","${buyToken}":"1"}`
    test.each<[string, string, object]>([
      ['hex prices and values', `{${prices},"interactions":[${call}],"solver":${address},"gas":5}`, { gas: 5n }],
      ['no interactions', `{${prices},"solver":${address},"gas":5}`, { interactions: [], gas: 5n }],
      ['no gas', `{${prices},"interactions":[],"solver":${address}}`, { gas: undefined }],
      ['null gas', `{${prices},"interactions":[],"solver":${address},"gas":null}`, { gas: undefined }],
      ['zero gas', `{${prices},"interactions":[],"solver":${address},"gas":0}`, { gas: undefined }],
      ['just-in-time orders', `{${prices},"interactions":[],"jitOrders":[{}],"solver":${address}}`, {}],
      ['the older shape', `{"amount":"200","interactions":[${call}],"solver":${address},"gas":null}`, {}],
      ['the older shape in hex', `{"amount":"0xc8","interactions":[],"solver":${address},"gas":9}`, { gas: 9n }],
    ])('%s', async (_, body, expected) => {
      expect(await ask(answering(body), 'sell')).toMatchObject({ sellAmount: 100n, buyAmount: 200n, ...expected })
    })

    test('accepts the older form of a buy quote, whose amount is the sold one', async () => {
      const answer = answering(`{"amount":"77","interactions":[],"solver":${address},"gas":1}`)
      expect(await ask(answer, 'buy')).toMatchObject({ sellAmount: 77n, buyAmount: 100n })
    })

    test('accepts hundreds of interactions, and one with 100 KiB of call data', async () => {
      const large = `{"target":${address},"value":"0","callData":"0x${'00'.repeat(100_000)}"}`
      const calls = [large, ...Array(500).fill(call)].join()
      const answer = answering(`{${prices},"interactions":[${calls}],"solver":${address}}`)
      expect((await ask(answer, 'sell')).interactions).toHaveLength(501)
    })
  })

  test.each([
    ['{"amount":"0","interactions":[],"solver":"0x5000000000000000000000000000000000000005"}', 'no usable amount'],
    ['{"amount":"-1","interactions":[],"solver":"0x5000000000000000000000000000000000000005"}', 'amount: an amount'],
    [`{"clearingPrices":{"${sellToken}":"0x1${'0'.repeat(64)}","${buyToken}":"1"},"solver":"${sellToken}"}`, '2^256'],
    ['{"clearingPrices":{}}', 'solver'],
  ])('logs that %s is rejected with solver and reason', async (body, reason) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await expect(ask(answering(body), 'sell')).rejects.toEqual(kind('Garbage'))
    const lines = log.mock.calls.map(([line]) => JSON.parse(line))
    log.mockRestore()
    expect(lines).toMatchObject([
      { message: 'quote rejected', solver: 'direct', reason: expect.stringContaining(reason) },
    ])
  })

  test('a refusal has the error kind of the driver', async () => {
    await expect(ask(quotingAt({}), 'sell')).rejects.toEqual(kind('QuotingFailed'))
  })

  test('a late response is a timeout', async () => {
    const late = quotingAt({ [sellToken]: 1n, [buyToken]: 1n }, { afterMs: 2_000 })
    await expect(ask(late, 'sell', 100n, 400)).rejects.toEqual(kind('Timeout'))
  })
})
