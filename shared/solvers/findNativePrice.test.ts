import type { Address } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { type Network, nativeSentinel, networks } from '../networks.ts'
import { findNativePrice } from './findNativePrice.ts'

const token: Address = '0x1000000000000000000000000000000000000001'
const { wrappedNative } = networks.sepolia

const running: RunningSolver[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
})
const find = async (
  listeners: Parameters<typeof startSolver>[1][],
  asked = token,
  network: Network = networks.sepolia,
) => {
  for (const listener of listeners) running.push(await startSolver(`solver${running.length}`, listener))
  const solvers = running.map(({ solver }) => solver)
  return (await findNativePrice({ solvers, network, now: Date.now }, asked, 20_000))?.price
}
/** A solver that gives `wei` per atom. */
const paying = (wei: bigint) => quotingAt({ [wrappedNative]: 1n, [token]: wei })
const noRoute = quotingAt({})
const broken = answering('oops', 500)

describe('findNativePrice', () => {
  test('requests the price of a tenth of the native token, of a whole one where it is a dollar', async () => {
    expect(await find([paying(4n)])).toBe(4)
    expect(Object.fromEntries(running[0]?.asked[0]?.searchParams ?? [])).toMatchObject({
      sellToken: token,
      buyToken: wrappedNative,
      kind: 'buy',
      amount: '100000000000000000',
    })
    const xdai = networks.gnosis.wrappedNative
    await findNativePrice(
      { solvers: running.map(({ solver }) => solver), network: networks.gnosis, now: Date.now },
      token,
      20_000,
    ).catch(() => undefined)
    const [, url] = running[0]?.asked ?? []
    expect(url?.searchParams.get('buyToken')).toBe(xdai)
    expect(url?.searchParams.get('amount')).toBe('1000000000000000000')
  })

  test.each([
    { answers: [paying(3n), noRoute, broken], price: 3, because: 'the only response counts' },
    { answers: [paying(3n), noRoute, paying(5n), broken], price: 3, because: 'of two the lower one' },
    { answers: [paying(4n), paying(5n), paying(3n)], price: 4, because: 'the second best' },
    { answers: [paying(4n), paying(10n ** 9n), paying(4n)], price: 4, because: 'no solver alone raises a price' },
  ])('$because', async ({ answers, price }) => {
    expect(await find(answers)).toBe(price)
  })

  test('native and wrapped native are 1 without a request', async () => {
    expect(await find([paying(3n)], nativeSentinel)).toBe(1)
    expect(await find([], wrappedNative)).toBe(1)
    expect(running[0]?.asked).toEqual([])
  })

  test('a price below one wei per atom retains its digits', async () => {
    const price = await find([quotingAt({ [wrappedNative]: 10n ** 9n, [token]: 3n })])
    expect(Math.abs((price ?? 0) / 3e-9 - 1)).toBeLessThan(1e-15)
  })

  describe('with an earlier price', () => {
    const earlierPrices = { recall: () => undefined, find: async () => 4, remember: () => undefined }
    const findLater = async (listeners: Parameters<typeof startSolver>[1][]) => {
      for (const listener of listeners) running.push(await startSolver(`solver${running.length}`, listener))
      const solvers = running.map(({ solver }) => solver)
      return findNativePrice({ solvers, network: networks.sepolia, now: Date.now, earlierPrices }, token, 20_000)
    }

    test.each([
      ['raise', paying(44n)],
      ['lower', quotingAt({ [wrappedNative]: 3n, [token]: 1n })],
    ])('a single solver cannot %s the price while another does not respond', async (_, absurd) => {
      await expect(findLater([absurd, broken])).rejects.toMatchObject({ name: 'SolverError', kind: 'Garbage' })
    })

    test('a single price within a factor of ten counts while another solver does not respond', async () => {
      expect(await findLater([paying(40n), broken])).toEqual({ price: 40, isConfirmed: true })
    })

    test('a single price counts, unconfirmed, when every other solver has no route', async () => {
      expect(await findLater([paying(64n), noRoute])).toEqual({ price: 64, isConfirmed: false })
    })
  })

  test('returns undefined when solvers responded and none has a route', async () => {
    expect(await find([noRoute, broken])).toBeUndefined()
  })

  test('an outage is an error', async () => {
    await expect(find([broken])).rejects.toMatchObject({ name: 'SolverError', kind: 'Garbage' })
    await expect(
      findNativePrice({ solvers: [], network: networks.sepolia, now: Date.now }, token, 1),
    ).rejects.toMatchObject({ kind: 'Unreachable' })
  })
})
