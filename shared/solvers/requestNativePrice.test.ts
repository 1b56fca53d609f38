import type { RequestListener } from 'node:http'
import type { Address } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { ether, type Pool, pool, routingOver } from '#test/helpers/solvers/poolRouting.ts'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { type Network, nativeSentinel, networks } from '../networks.ts'
import { requestNativePrice } from './requestNativePrice.ts'

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
  return (await requestNativePrice({ solvers, network, now: Date.now }, asked, 20_000)).price
}
/** A solver that gives `wei` per atom. */
const paying = (wei: bigint) => quotingAt({ [wrappedNative]: 1n, [token]: wei })
const noRoute = quotingAt({})
const broken = answering('oops', 500)

describe('requestNativePrice', () => {
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
    await requestNativePrice({ solvers, network: networks.gnosis, now: Date.now }, token, 20_000)
    const [, , onGnosis] = listAsked()
    expect([onGnosis?.buyToken, onGnosis?.sellToken]).toContain(networks.gnosis.wrappedNative)
    expect(onGnosis?.amount).toBe('3000000000000000000000')
  })

  describe('over several pools', () => {
    const judge = (...pools: Pool[]) => judgeTurns([pools])
    /** @param turns pools of each next request, in turn */
    const judgeTurns = async (turns: readonly Pool[][]) => {
      const route = (): RequestListener => {
        let turn = 0
        return (...request) => {
          routingOver(token, turns[turn % turns.length] ?? [])(...request)
          turn += 1
        }
      }
      const started = [await startSolver('first', route()), await startSolver('second', route())]
      running.push(...started)
      const solvers = started.map(({ solver }) => solver)
      return requestNativePrice({ solvers, network: networks.sepolia, now: Date.now }, token, 20_000)
    }
    const market = pool(500n * ether)

    test.each([
      ['at eight times the market', pool((3n * ether) / 10n, { over: 8n })],
      ['of dust at a million times the market', pool(ether / 1_000n, { over: 1_000_000n })],
      ['of dust at a millionth of the market', pool(ether / 1_000_000n, { under: 1_000_000n })],
      ['that only buys the token, 30 ethers at twice the market', pool(30n * ether, { over: 2n, only: 'buy' })],
      ['with 0.001 ethers and a token side of 1,000 ethers', pool(ether / 1_000n, { under: 1_000_000n })],
    ])('a pool %s raises no price', async (_, hostile) => {
      const [before, after] = [await judge(market), await judge(market, hostile)]
      expect(before).toEqual({ price: expect.closeTo(4, 1), isConfirmed: true, isDeep: true })
      expect(after?.price).toBeLessThan(4.03)
    })

    test.each([
      ['eight times', { over: 8n }],
      ['an eighth of', { under: 8n }],
    ])(
      'thirty pools of thirty strangers at %s the market raise no price, and lower it no further than one of all their ethers',
      async (_, terms) => {
        const together = await judge(market, ...Array(30).fill(pool(ether / 100n, terms)))
        const one = await judge(market, pool((3n * ether) / 10n, terms))
        expect(together?.price).toBeGreaterThan((one?.price ?? 4) - 0.05)
        expect(together?.price).toBeLessThan(4.03)
      },
    )

    test('a pool that moves between the two directions of a price raises none, and confirms none but that of the market', async () => {
      const [high, low] = [pool(30n * ether, { over: 8n }), pool(30n * ether, { under: 8n })]
      const crossed = await judgeTurns([
        [market, high],
        [market, low],
      ])
      expect(crossed).toMatchObject({ isConfirmed: false, isDeep: false })
      expect(crossed?.price).toBeLessThan(4.03)
      const apart = await judgeTurns([
        [market, low],
        [market, high],
      ])
      expect(apart).toEqual({ price: expect.closeTo(4, 1), isConfirmed: true, isDeep: true })
    })

    test.each([
      ['raise', 4, pool((3n * ether) / 10n, { over: 8n })],
      ['lower', 3, pool((3n * ether) / 10n, { under: 8n })],
      ['lower', 3.9, pool(ether / 100n, { under: 8n })],
    ])('a thin pool cannot %s a price below %d', async (_, least, hostile) => {
      expect((await judge(market, hostile))?.price).toBeGreaterThan(least - 0.05)
    })

    test('a token whose only pool holds half an ether has a price, which is not deep', async () => {
      expect(await judge(pool(ether / 2n))).toEqual({ price: expect.any(Number), isConfirmed: false, isDeep: false })
      expect(await judge(pool(2n * ether))).toEqual({ price: expect.any(Number), isConfirmed: true, isDeep: false })
      expect(await judge(pool(20n * ether))).toMatchObject({ isConfirmed: true, isDeep: true })
    })

    test('an empty purchase direction leaves the price unconfirmed', async () => {
      const selling: RequestListener = (request, response) =>
        (request.url?.includes('kind=buy')
          ? routingOver(token, [market])
          : answering({ kind: 'QuotingFailed', description: '' }, 400))(request, response)
      running.push(await startSolver('one', selling))
      const solvers = running.map(({ solver }) => solver)
      const found = await requestNativePrice({ solvers, network: networks.sepolia, now: Date.now }, token, 20_000)
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
      return requestNativePrice({ solvers, network: networks.sepolia, now: Date.now, earlierPrices }, token, 20_000)
    }

    test.each([
      ['raise', paying(44n)],
      ['lower', quotingAt({ [wrappedNative]: 3n, [token]: 1n })],
    ])('a single solver cannot %s the price while another does not respond', async (_, absurd) => {
      expect(await findLater([absurd, broken])).toMatchObject({
        price: undefined,
        failures: [{ error: { kind: 'Garbage' } }, { error: { kind: 'Implausible' } }],
      })
    })

    test('a single price within a factor of ten counts while another solver does not respond', async () => {
      expect(await findLater([paying(40n), broken])).toMatchObject({ price: 40, isConfirmed: true })
    })

    test('a single price counts, unconfirmed, when every other solver has no route', async () => {
      expect(await findLater([paying(64n), noRoute])).toMatchObject({ price: 64, isConfirmed: false })
    })
  })

  test('without a price, the outcome of each solver', async () => {
    for (const listener of [noRoute, broken]) running.push(await startSolver(`solver${running.length}`, listener))
    const solvers = running.map(({ solver }) => solver)
    const found = await requestNativePrice({ solvers, network: networks.sepolia, now: Date.now }, token, 20_000)
    if (found.price !== undefined) expect.fail('a price')
    const outcomes = Object.fromEntries(found.failures.map(({ solver, error }) => [solver, error.kind]))
    expect(outcomes).toEqual({ solver0: 'QuotingFailed', solver1: 'Garbage' })
  })
})
