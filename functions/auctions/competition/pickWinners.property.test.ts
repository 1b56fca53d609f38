import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { chargeFees } from '#shared/fees/chargeFees.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import { pickWinners } from './pickWinners.ts'
import { type Proposal, type ScoredSolution, type ScoreRules, scoreSolution } from './scoreSolution.ts'

/**
 * From executed amounts to winners, against the rules read literally: loops over arrays, fractions cross-multiplied,
 * nothing of the engine but the data that goes in. Ties go to the first solution, as without a shuffle.
 */

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const wrappedNative = address(4)
/** The last one has no price. */
const tokens = [address(1), address(2), wrappedNative, nativeSentinel, address(5)]
const prices = new Map(tokens.slice(0, 4).map((token, i) => [token, BigInt(10 ** (18 - i)) * 3n]))
const solvers = [address(11), address(12), address(13)]

type DrawnOrder = Pick<SolutionOrder, 'side' | 'sellToken' | 'buyToken' | 'limitSell' | 'limitBuy'> & {
  policies: FeePolicy[]
  isJit: boolean
}
type DrawnSolution = { solver: number; fills: { order: number; part: bigint; gain: bigint }[] }

const amount = fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 21n))
const factor = fc.constantFrom(0, 0.01, 0.1, 0.5)
const quote = fc.record({ sellAmount: amount, buyAmount: fc.oneof(fc.constant(0n), amount), fee: amount })
const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.record({ kind: fc.constant('volume' as const), factor }),
  fc.record({ kind: fc.constant('surplus' as const), factor, maxVolumeFactor: factor }),
  fc.record({ kind: fc.constant('priceImprovement' as const), factor, maxVolumeFactor: factor, quote }),
)
const drawnOrder: fc.Arbitrary<DrawnOrder> = fc.record({
  side: fc.constantFrom('sell' as const, 'buy' as const),
  sellToken: fc.constantFrom(...tokens.slice(0, 3)),
  buyToken: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...tokens.slice(0, 4)) }, fc.constantFrom(...tokens)),
  limitSell: amount,
  limitBuy: amount,
  policies: fc.array(policy, { maxLength: 3 }),
  isJit: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
})
const drawnSolution: fc.Arbitrary<DrawnSolution> = fc.record({
  solver: fc.nat(2),
  fills: fc.uniqueArray(
    fc.record({
      order: fc.nat(5),
      // of 8 eighths
      part: fc.bigInt(1n, 8n),
      // in hundredths of the limit; sometimes a little below it
      gain: fc.oneof({ weight: 30, arbitrary: fc.bigInt(0n, 60n) }, fc.constant(-1n)),
    }),
    { minLength: 1, maxLength: 4, selector: ({ order }) => order },
  ),
})
const auction = fc.record({
  orders: fc.array(drawnOrder, { minLength: 6, maxLength: 6 }),
  solutions: fc.array(drawnSolution, { maxLength: 8 }),
  maxWinners: fc.integer({ min: 1, max: 3 }),
})

const uidOf = (order: number): Hex => packOrderUid(`0x${'ab'.repeat(32)}`, address(100 + order), order)

/** Amount for the owner: its limit for the executed part, and the gain on top. */
const execute = ({ side, limitSell, limitBuy }: DrawnOrder, { part, gain }: DrawnSolution['fills'][number]) => {
  const [sold, bought] = [(limitSell * part + 7n) / 8n, (limitBuy * part + 7n) / 8n]
  if (side === 'sell') {
    const least = (sold * limitBuy + limitSell - 1n) / limitSell
    return { executedSell: sold, executedBuy: gain < 0n ? least - 1n : (least * (100n + gain)) / 100n }
  }
  const most = (limitSell * bought) / limitBuy
  return { executedSell: gain < 0n ? most + 1n : (most * (100n - gain)) / 100n, executedBuy: bought }
}

const toProposal = (orders: DrawnOrder[], { solver, fills }: DrawnSolution, solutionId: number): Proposal => ({
  solver: solvers[solver] ?? '0x',
  solutionId,
  orders: new Map(
    fills.flatMap((fill) => {
      const { policies: _policies, isJit: _isJit, ...order } = orders[fill.order] as DrawnOrder
      return [[uidOf(fill.order), { ...order, ...execute(orders[fill.order] as DrawnOrder, fill) }] as const]
    }),
  ),
})

const toRules = (orders: DrawnOrder[]): ScoreRules => {
  const listed = orders.map((order, i) => [uidOf(i), order] as const).filter(([, { isJit }]) => !isJit)
  return {
    prices,
    orders: new Map(listed),
    feePolicies: new Map(listed.map(([uid, { policies }]) => [uid, policies])),
    jitOrderOwners: new Set(),
  }
}

const scoreAll = (orders: DrawnOrder[], solutions: DrawnSolution[]): ScoredSolution[] =>
  solutions.flatMap((solution, i) => {
    try {
      return [scoreSolution(toProposal(orders, solution, i), toRules(orders))]
    } catch (error) {
      if (error instanceof RangeError) return []
      throw error
    }
  })

const pick = (solutions: ScoredSolution[], maxWinners: number) =>
  pickWinners(
    {
      ...{ wrappedNative, maxWinners, shuffle: (items) => [...items], isOpen: () => false, hasFailed: () => false },
      ...{ certainty: new Map(), funds: new Map(), allowances: new Map() },
    },
    solutions,
  )

test('winners, fairness, reference scores and scores are those of the rules', () => {
  fc.assert(
    fc.property(auction, ({ orders, solutions, maxWinners }) => {
      const ranked = pick(scoreAll(orders, solutions), maxWinners)
      const picked = ranked.map(({ solutionId, isWinner, filteredOut, score, referenceScore }) => ({
        solutionId,
        isWinner,
        filteredOut,
        score,
        referenceScore,
      }))
      expect(picked).toEqual(judge(orders, solutions, maxWinners))
    }),
    { numRuns: process.env.LONG ? 2_000 : 500 },
  )
})

test('a score is the sum of its pairs, and no order is in two winners', () => {
  fc.assert(
    fc.property(auction, ({ orders, solutions, maxWinners }) => {
      const ranked = pick(scoreAll(orders, solutions), maxWinners)
      for (const { score, pairScores } of ranked) {
        expect([...pairScores.values()].reduce((sum, part) => sum + part, 0n)).toBe(score)
      }
      const won = ranked.filter(({ isWinner }) => isWinner).flatMap((solution) => [...solution.orders.keys()])
      expect(new Set(won).size).toBe(won.length)
    }),
  )
})

test('charging fees moves no score by more than the atoms that rounding takes', () => {
  fc.assert(
    fc.property(drawnOrder, fc.bigInt(1n, 8n), fc.bigInt(0n, 60n), (order, part, gain) => {
      const { side: kind, limitSell, limitBuy, policies } = order
      const limits = { kind, limitSell, limitBuy }
      const gross = execute(order, { order: 0, part, gain })
      const { fees: _fees, ...net } = chargeFees({ ...limits, ...gross }, policies)
      const score = (executed: typeof gross, feePolicies: FeePolicy[]) => {
        const { policies: _policies, isJit: _isJit, ...terms } = order
        const proposal = {
          solver: address(11),
          solutionId: 0,
          orders: new Map([[uidOf(0), { ...terms, ...executed }]]),
        }
        const rules = { ...toRules([{ ...order, isJit: false }]), feePolicies: new Map([[uidOf(0), feePolicies]]) }
        return scoreSolution(proposal, rules).score
      }
      const before = attempt(() => score(gross, []))
      const after = attempt(() => score(net, policies))
      // a volume fee may push an order below its limit, and a token may have no price: then there is no score
      if (before === undefined || after === undefined) return
      expect(after <= before).toBe(true)
      // two atoms for each policy with factors up to a half, in the buy token, and the atom that is converted
      const atoms = 2n * BigInt(policies.length) + 1n
      const inBuyToken = kind === 'sell' ? atoms : (atoms * limitBuy) / limitSell + 1n
      const price = prices.get(order.buyToken) ?? 0n
      expect(before - after <= (inBuyToken * price) / 10n ** 18n + 1n).toBe(true)
    }),
    { numRuns: process.env.LONG ? 1_000 : 250 },
  )
})

const attempt = <T>(run: () => T): T | undefined => {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The rules. */
const judge = (orders: DrawnOrder[], solutions: DrawnSolution[], maxWinners: number) => {
  const scored = solutions.map(({ solver, fills }, solutionId) => {
    const parts = fills.map((fill) => ({
      ...computeValue(orders[fill.order] as DrawnOrder, fill),
      pair: [orders[fill.order]?.sellToken, orders[fill.order]?.buyToken].join('/'),
      scores: !orders[fill.order]?.isJit,
    }))
    const scoring = parts.filter(({ scores }) => scores)
    const isDiscarded = scoring.length === 0 || scoring.some(({ value }) => value === undefined)
    const score = (pair?: string) =>
      scoring
        .filter((part) => pair === undefined || part.pair === pair)
        .reduce((sum, { value }) => sum + (value ?? 0n), 0n)
    return {
      solutionId,
      solver,
      isDiscarded,
      score,
      pairs: [...new Set(scoring.map(({ pair }) => pair))],
      // the native token is its wrapped form here, and orders that do not score count
      liquidity: parts.map(({ pair }) => pair.replaceAll(nativeSentinel, wrappedNative)),
    }
  })
  type Scored = (typeof scored)[number]
  const valid = scored.filter(({ isDiscarded }) => !isDiscarded)
  const isFair = ({ pairs, score }: Scored) =>
    pairs.length === 1 ||
    pairs.every((pair) =>
      valid.every((other) => other.pairs.length > 1 || other.pairs[0] !== pair || score(pair) >= other.score()),
    )
  const descending = (list: Scored[]) => {
    const sorted: Scored[] = []
    for (const solution of list) {
      const worse = sorted.findIndex((other) => other.score() < solution.score())
      sorted.splice(worse < 0 ? sorted.length : worse, 0, solution)
    }
    return sorted
  }
  const winnersOf = (list: Scored[]) => {
    const winners: Scored[] = []
    for (const solution of descending(list)) {
      const isFree = winners.every((winner) => !winner.liquidity.some((pair) => solution.liquidity.includes(pair)))
      if (isFree && winners.length < maxWinners) winners.push(solution)
    }
    return winners
  }
  const fair = valid.filter(isFair)
  const winners = winnersOf(fair)
  const losers = descending(fair.filter((solution) => !winners.includes(solution)))
  const unfair = descending(valid.filter((solution) => !isFair(solution)))
  return [...winners, ...losers, ...unfair].map((solution) => ({
    solutionId: solution.solutionId,
    isWinner: winners.includes(solution),
    filteredOut: unfair.includes(solution),
    score: solution.score(),
    referenceScore: winners.includes(solution)
      ? winnersOf(fair.filter(({ solver }) => solver !== solution.solver)).reduce((sum, { score }) => sum + score(), 0n)
      : null,
  }))
}

/** Surplus and reconstructed fees of one order in wei; undefined when it must not be in a solution. */
const computeValue = (order: DrawnOrder, fill: DrawnSolution['fills'][number]): { value: bigint | undefined } => {
  const { side, limitSell, limitBuy, buyToken, policies } = order
  let { executedSell, executedBuy } = execute(order, fill)
  const price = prices.get(buyToken)
  if (price === undefined || executedSell * limitBuy > executedBuy * limitSell) return { value: undefined }
  /** Gain over a limit of `s` sold for `b` bought; as many atoms as it can lose without breaking it. */
  const gainOver = (s: bigint, b: bigint) => {
    const atoms = side === 'sell' ? executedBuy - -(-(executedSell * b) / s) : (s * executedBuy) / b - executedSell
    if (side !== 'sell') return atoms
    return (executedSell * b) % s === 0n ? atoms : atoms - 1n
  }
  const times = (value: bigint, share: number) => (value * BigInt(Math.trunc(share * 1e18))) / 10n ** 18n
  const volumeFee = (f: number) =>
    side === 'sell' ? times(executedBuy, f / (1 - f)) : times(executedSell, f / (1 + f))
  const gains = gainOver(limitSell, limitBuy)
  let all = 0n
  for (const policy of [...policies].reverse()) {
    let fee = 0n
    if (policy.kind === 'volume') fee = volumeFee(policy.factor)
    else {
      let [s, b] = [limitSell, limitBuy]
      if (policy.kind === 'priceImprovement') {
        const { sellAmount, buyAmount, fee: network } = policy.quote
        if (side === 'sell' && network < sellAmount) {
          const promised = ((buyAmount - (network * buyAmount) / sellAmount) * limitSell) / sellAmount
          if (promised > b) b = promised
        }
        if (side === 'buy' && buyAmount > 0n) {
          const promised = ((sellAmount + network) * limitBuy) / buyAmount
          if (promised < s) s = promised
        }
      }
      const gain = gainOver(s, b)
      const share = gain > 0n ? times(gain, policy.factor / (1 - policy.factor)) : 0n
      const cap = volumeFee(policy.maxVolumeFactor)
      fee = share < cap ? share : cap
    }
    all += fee
    if (side === 'sell') executedBuy += fee
    else executedSell -= fee
  }
  const total = gains + all
  return { value: ((side === 'sell' ? total : (total * limitBuy) / limitSell) * price) / 10n ** 18n }
}
