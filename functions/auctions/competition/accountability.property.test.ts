import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { computeNextSettlementBlock, maxBackOffBlocks } from '#shared/orders/computeNextSettlementBlock.ts'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import type { SolverFailure } from '../settling/computeBarredOrders.ts'
import { blocksUntilOpen, computeRules } from '../settling/computeRules.ts'
import type { ActiveSuspension } from '../settling/computeStandings.ts'
import { computeMaxUnsettled, computeSuspension, isProven } from '../settling/computeSuspension.ts'
import { computeWaiting } from '../settling/computeWaiting.ts'
import type { FormerSuspension } from '../settling/judgeAttempts.ts'
import { checkPlausible } from './checkPlausible.ts'
import { pickWinners } from './pickWinners.ts'
import type { Rules } from './rules.ts'
import { type ScoredSolution, scoreSolution } from './scoreSolution.ts'

/**
 * Markets of honest and bad solvers, block by block, with the real rules and a chain that is a few lines: within the bound that
 * `computeBarredOrders` states every honest order is filled, and no honest solver is ever left out.
 */

type Behaviour = 'honest' | 'silent' | 'reverting' | 'mismatching' | 'exaggerating'
type Order = {
  uid: Hex
  pair: number
  isHostile: boolean
  failures: SolverFailure[]
  reverts: number
  lastRevert: number
  /** wins that still revert although an honest solver has them */
  moves: number
}
type Attempt = {
  solver: Address
  order: Order
  endBlock: number
  isReorganised: boolean
  outcome: 'success' | 'timeout' | 'mismatch' | 'reverted'
}

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const wrappedNative = address(99)
const sellToken = address(1)
const blockMs = 12_000
const behaviours: Behaviour[] = ['silent', 'reverting', 'mismatching', 'exaggerating']

type Disturbances = {
  /** after each of these all running wins of honest solvers fail */
  reorganisations: number
  /** number of honest wins of each order that revert because pools moved */
  moves: number
}

const market = fc.record({
  honest: fc.integer({ min: 1, max: 2 }),
  bad: fc.array(fc.constantFrom(...behaviours), { maxLength: 4 }),
  /** honest and hostile orders of each pair */
  pairs: fc.array(fc.record({ honest: fc.integer({ min: 1, max: 3 }), hostile: fc.integer({ min: 0, max: 3 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  deadlineBlocks: fc.integer({ min: 1, max: 5 }),
  disturbances: fc.oneof<fc.Arbitrary<Disturbances>[]>(
    fc.constant({ reorganisations: 0, moves: 0 }),
    fc.record({ reorganisations: fc.integer({ min: 1, max: 3 }), moves: fc.constant(0) }),
    fc.record({ reorganisations: fc.constant(0), moves: fc.integer({ min: 1, max: 3 }) }),
  ),
  seed: fc.nat(),
})
type Market = typeof market extends fc.Arbitrary<infer Value> ? Value : never

/** The bounds of `computeBarredOrders`. */
const computeBound = ({ bad, honest, pairs, deadlineBlocks, disturbances }: Market): number => {
  const { reorganisations, moves } = disturbances
  const all = bad.length + honest
  const largest = Math.max(...pairs.map((pair) => pair.honest + pair.hostile))
  if (reorganisations === 0) {
    const failedWins = bad.length * (2 * moves + 1) + moves
    const held = Math.min(deadlineBlocks, Math.max(2, Math.floor(deadlineBlocks * 0.4))) + 1
    const backOff = Math.min(2 ** failedWins - 1, failedWins * maxBackOffBlocks)
    return failedWins * held + backOff + (all + 1 + (moves > 0 ? failedWins : 0)) * largest
  }
  let n = 1
  while (bad.length > 0 && 2 ** n - 1 <= (bad.length - 1) * (n + 1)) n += 1
  const held = deadlineBlocks + 1 + maxBackOffBlocks
  return bad.length * n * held + (all * n + 1) * largest + reorganisations * (held + blocksUntilOpen)
}

/** @returns the block in which each honest order was filled, and whether an honest solver was ever left out */
const run = ({ honest, bad, pairs, deadlineBlocks, seed, disturbances }: Market, blocks: number) => {
  let { reorganisations } = disturbances
  const all: Behaviour[] = [...Array<Behaviour>(honest).fill('honest'), ...bad]
  const solvers = all.map((behaviour, i) => ({ behaviour, address: address(100 + i) }))
  const orders: Order[] = pairs.flatMap((counts, pair) =>
    Array.from({ length: counts.honest + counts.hostile }, (_, i): Order => {
      const uid: Hex = `0x${(pair * 100 + i).toString(16).padStart(112, '0')}`
      return {
        uid,
        pair,
        isHostile: i >= counts.honest,
        failures: [],
        reverts: 0,
        lastRevert: 0,
        moves: disturbances.moves,
      }
    }),
  )
  const open = new Set(orders)
  const running: Attempt[] = []
  const ended: Attempt[] = []
  const filledAt = new Map<Order, number>()
  const filledBy = new Map<Order, { solver: Address; block: number }>()
  const suspensions = new Map<Address, ActiveSuspension & FormerSuspension & { since: number }>()
  let waiting: ReadonlyMap<Hex, number> = new Map()
  let honestLeftOut = false
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }

  const close = (block: number) => {
    for (const attempt of running.filter(({ endBlock }) => endBlock <= block)) {
      running.splice(running.indexOf(attempt), 1)
      ended.unshift(attempt)
      const { order, outcome, solver } = attempt
      if (outcome === 'success' || outcome === 'mismatch') {
        open.delete(order)
        order.failures = []
        filledAt.set(order, block)
        filledBy.set(order, { solver, block })
        continue
      }
      const known = order.failures.find((failed) => failed.solver === solver)
      const failed = known ?? { orderUid: order.uid, solver, failures: 0, lastBlock: 0 }
      if (!known) order.failures.push(failed)
      failed.failures += 1
      failed.lastBlock = block
      if (outcome === 'reverted') {
        order.reverts += 1
        order.lastRevert = block
      }
    }
  }

  const isExcused = ({ solver, order, outcome, endBlock }: Attempt): boolean => {
    const filled = filledBy.get(order)
    const isFilledSince = filled !== undefined && filled.solver !== solver && filled.block > endBlock
    const isShared = ended.some(
      (other) => other.order === order && other.solver !== solver && other.outcome === 'reverted',
    )
    return outcome === 'reverted' && isShared && !isFilledSince
  }

  const judge = (block: number, auctioned: readonly Order[]): Rules => {
    const now = block * blockMs
    const [allowances, unproven] = [new Map<Address, number>(), new Set<Address>()]
    for (const { address: solver } of solvers) {
      const former = suspensions.get(solver)
      const attempts = ended
        .filter((attempt) => attempt.solver === solver && attempt.endBlock > (former?.since ?? -1))
        .slice(0, 50)
        .map((attempt) => ({ ...attempt, orders: [attempt.order.uid], isExcused: isExcused(attempt) }))
      const verdict = computeSuspension(attempts, former)
      // as in `findParticipation`
      const isHeld = former !== undefined && former.reason !== 'reverted' && former.until > now
      if (verdict && !(isHeld && verdict.reason === 'reverted')) {
        const { reason, level, durationMs } = verdict
        suspensions.set(solver, { reason, level, until: Math.max(now + durationMs, former?.until ?? 0), since: block })
      }
      const unsettled = running.filter((attempt) => attempt.solver === solver).length
      allowances.set(solver, Math.max(0, computeMaxUnsettled(attempts, former) - unsettled))
      if (!isProven(attempts)) unproven.add(solver)
    }
    const active = new Map([...suspensions].filter(([, { until }]) => until > now))
    waiting = computeWaiting(waiting, { orders: new Map(auctioned.map(({ uid }) => [uid, {}])), block })
    const failures = orders.flatMap((order) => order.failures)
    return computeRules({
      participation: { suspensions: active, allowances, unproven, failures },
      able: solvers.map((solver) => solver.address),
      ...{ waiting, block, deadlineBlocks },
    })
  }

  const propose = (rules: Rules, auctioned: readonly Order[]): ScoredSolution[] =>
    solvers.flatMap(({ behaviour, address: solver }) => {
      const standing = rules.standingOf(solver)
      if (behaviour === 'honest' && (standing === 'out' || standing === 'returned')) honestLeftOut = true
      return auctioned.flatMap((order, solutionId) => {
        if (!rules.maySee(solver, order.uid)) return []
        const rank = rules.rankOf(solver, [order.uid])
        const executedBuy = { honest: 1_100n, exaggerating: 10n ** 12n }[behaviour as string] ?? 1_200n
        const buyToken = address(2 + order.pair)
        const terms = { side: 'sell', sellToken, buyToken, limitSell: 1_000n, limitBuy: 1_000n } as const
        const execution: SolutionOrder = { ...terms, executedSell: 1_000n, executedBuy }
        const prices = new Map([sellToken, buyToken].map((token) => [token, 10n ** 18n]))
        const scoreRules = {
          prices,
          orders: new Map([[order.uid, order]]),
          feePolicies: new Map(),
          jitOrderOwners: new Set<Address>(),
        }
        try {
          checkPlausible({ [order.uid]: execution }, { ...scoreRules, quotes: new Map(), factor: 10 })
        } catch {
          return []
        }
        return [scoreSolution({ solver, solutionId, rank, orders: new Map([[order.uid, execution]]) }, scoreRules)]
      })
    })

  for (let block = 1; block <= blocks && orders.some((order) => !order.isHostile && open.has(order)); block++) {
    close(block)
    const failures = new Map(orders.map((order) => [order.uid, order.reverts]))
    const shuffle = <T>(items: readonly T[]): T[] =>
      items
        .map((item) => ({ item, key: random() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item)
    const inFlight = new Set(running.map(({ order }) => order))
    const auctioned = [...open].filter(
      (order) =>
        !inFlight.has(order) &&
        (order.reverts === 0 || block >= computeNextSettlementBlock(order.reverts, order.lastRevert)),
    )
    const rules = judge(block, auctioned)
    const { allowances } = rules
    const ranked = pickWinners(
      { wrappedNative, maxWinners: 20, shuffle, failures, allowances },
      propose(rules, auctioned),
    )
    for (const {
      solver,
      orders: [[uid] = []],
    } of ranked.filter(({ isWinner }) => isWinner).map((winner) => ({ ...winner, orders: [...winner.orders] }))) {
      const order = orders.find((known) => known.uid === uid)
      const behaviour = solvers.find((known) => known.address === solver)?.behaviour
      if (!order || !behaviour) throw new Error('an unknown winner')
      let outcome: Attempt['outcome'] =
        behaviour === 'silent'
          ? 'timeout'
          : behaviour === 'reverting' || order.isHostile
            ? 'reverted'
            : behaviour === 'mismatching'
              ? 'mismatch'
              : 'success'
      if (outcome === 'success' && order.moves > 0) {
        order.moves -= 1
        outcome = 'reverted'
      }
      const blocks = outcome === 'timeout' ? rules.deadlineBlocksOf(solver) : 1
      running.push({ solver, order, outcome, endBlock: block + blocks, isReorganised: false })
    }
    if (reorganisations > 0 && random() < 0.1) {
      reorganisations -= 1
      for (const attempt of running) {
        const endBlock = attempt.endBlock - 1 + rules.deadlineBlocksOf(attempt.solver)
        if (attempt.outcome === 'success') Object.assign(attempt, { outcome: 'timeout', endBlock })
        attempt.isReorganised = true
      }
    }
  }
  return { unfilled: orders.filter((order) => !order.isHostile && !filledAt.has(order)), filledAt, honestLeftOut }
}

test('every honest order is filled within the stated bound, and no honest solver is ever left out', () => {
  let slowest = 0
  fc.assert(
    fc.property(market, (drawn) => {
      const bound = computeBound(drawn)
      const { unfilled, filledAt, honestLeftOut } = run(drawn, bound + 1)
      expect(unfilled).toEqual([])
      // until its first success it may be suspended for a reorganisation
      if (drawn.disturbances.reorganisations === 0) expect(honestLeftOut).toBe(false)
      const last = Math.max(0, ...filledAt.values())
      slowest = Math.max(slowest, last / (bound + 1))
    }),
    { seed: Number(process.env.FUZZ_SEED ?? 14), numRuns: process.env.LONG ? 1_500 : 300 },
  )
  expect(slowest).toBeLessThanOrEqual(1)
})

test('one silent solver among honest ones delays an order by its deadline once', () => {
  const drawn = {
    ...{ honest: 1, bad: ['silent' as const], pairs: [{ honest: 1, hostile: 0 }] },
    ...{ deadlineBlocks: 5, disturbances: { reorganisations: 0, moves: 0 }, seed: 1 },
  }
  // an unproven solver has two blocks
  expect([...run(drawn, 100).filledAt.values()]).toEqual([4])
})
