import type { RequestListener } from 'node:http'
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
  test('requests both directions of a trade of three ethers, of as much where the native token is a dollar', async () => {
    expect(await find([paying(4n)])).toBe(4)
    const amount = '3000000000000000000'
    const sale = { sellToken: token, buyToken: wrappedNative, kind: 'buy', amount }
    const purchase = { sellToken: wrappedNative, buyToken: token, kind: 'sell', amount }
    const listAsked = () => running[0]?.asked.map(({ searchParams }) => Object.fromEntries(searchParams)) ?? []
    expect(listAsked()).toHaveLength(2)
    expect(listAsked()).toEqual(
      expect.arrayContaining([expect.objectContaining(sale), expect.objectContaining(purchase)]),
    )
    const solvers = running.map(({ solver }) => solver)
    await findNativePrice({ solvers, network: networks.gnosis, now: Date.now }, token, 20_000).catch(() => undefined)
    const [, , onGnosis] = listAsked()
    expect([onGnosis?.buyToken, onGnosis?.sellToken]).toContain(networks.gnosis.wrappedNative)
    expect(onGnosis?.amount).toBe('3000000000000000000000')
  })

  describe('over several pools', () => {
    const ether = 10n ** 18n
    /** A constant-product pool without a fee; the market is four wei per atom. */
    type Reserves = { native: bigint; tokens: bigint }
    const pool = (
      native: bigint,
      timesMarket: { over: bigint; under: bigint } = { over: 1n, under: 1n },
    ): Reserves => ({
      native,
      tokens: (native * timesMarket.under) / (4n * timesMarket.over),
    })
    /** A solver that trades with the best of its pools. */
    const routing =
      (...pools: Reserves[]): RequestListener =>
      (request, response) => {
        const { searchParams } = new URL(request.url ?? '', 'http://solver')
        const amount = BigInt(searchParams.get('amount') ?? 0)
        const offers = pools.flatMap(({ native, tokens }) => {
          if (searchParams.get('kind') === 'sell') return [(amount * tokens) / (native + amount)]
          return amount < native ? [-((amount * tokens) / (native - amount) + 1n)] : []
        })
        const best = offers.toSorted((a, b) => (a > b ? -1 : 1))[0]
        const others = best === undefined ? 0n : best < 0n ? -best : best
        const reply =
          others === 0n
            ? answering({ kind: 'QuotingFailed', description: 'no route' }, 400)
            : answering({
                clearingPrices: { [wrappedNative]: String(others), [token]: String(amount) },
                interactions: [],
                solver: '0x5000000000000000000000000000000000000001',
              })
        reply(request, response)
      }
    const judge = async (...pools: Reserves[]) => {
      const listeners = [routing(...pools), routing(...pools)]
      for (const listener of listeners) running.push(await startSolver(`solver${running.length}`, listener))
      const solvers = running.splice(0).map((one) => {
        stopped.push(one)
        return one.solver
      })
      return findNativePrice({ solvers, network: networks.sepolia, now: Date.now }, token, 20_000)
    }
    const stopped: RunningSolver[] = []
    afterEach(() => Promise.all(stopped.splice(0).map(({ stop }) => stop())))
    const market = pool(500n * ether)

    test.each([
      ['at eight times the market', pool((3n * ether) / 10n, { over: 8n, under: 1n })],
      ['at an eighth of the market', pool((3n * ether) / 10n, { over: 1n, under: 8n })],
      ['of dust at a million times the market', pool(ether / 1_000n, { over: 1_000_000n, under: 1n })],
    ])('a new thin pool %s changes no price', async (_, hostile) => {
      const [before, after] = [await judge(market), await judge(market, hostile)]
      expect(before).toEqual({ price: expect.closeTo(4, 1), isConfirmed: true, isDeep: true })
      expect(after).toEqual(before)
    })

    test.each([
      ['raised by a pool of 30 ethers', pool(30n * ether, { over: 8n, under: 1n }), 4.1],
      ['lowered by a pool of 30 ethers, but unconfirmed', pool(30n * ether, { over: 1n, under: 8n }), 4.1],
    ])('a price is not %s', async (_, hostile, most) => {
      const found = await judge(market, hostile)
      expect(found).toMatchObject({ isConfirmed: false, isDeep: false })
      expect(found?.price).toBeLessThan(most)
    })

    test('a token whose only pool holds half an ether has a price, which is not deep', async () => {
      expect(await judge(pool(ether / 2n))).toEqual({ price: expect.any(Number), isConfirmed: false, isDeep: false })
      expect(await judge(pool(2n * ether))).toEqual({ price: expect.any(Number), isConfirmed: true, isDeep: false })
      expect(await judge(pool(20n * ether))).toMatchObject({ isConfirmed: true, isDeep: true })
    })

    test('an empty purchase direction leaves the price unconfirmed', async () => {
      const selling: RequestListener = (request, response) =>
        (request.url?.includes('kind=buy')
          ? routing(market)
          : answering({ kind: 'QuotingFailed', description: '' }, 400))(request, response)
      running.push(await startSolver('one', selling))
      const solvers = running.map(({ solver }) => solver)
      const found = await findNativePrice({ solvers, network: networks.sepolia, now: Date.now }, token, 20_000)
      expect(found).toEqual({ price: expect.closeTo(4, 1), isConfirmed: false, isDeep: false })
    })
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
      expect(await findLater([paying(40n), broken])).toMatchObject({ price: 40, isConfirmed: true })
    })

    test('a single price counts, unconfirmed, when every other solver has no route', async () => {
      expect(await findLater([paying(64n), noRoute])).toMatchObject({ price: 64, isConfirmed: false })
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
