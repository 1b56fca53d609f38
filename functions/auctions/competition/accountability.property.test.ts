import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { computeNextSettlementBlock } from '#shared/orders/computeNextSettlementBlock.ts'
import { toPair } from '#shared/solvers/toTradedPair.ts'
import { computeRules } from '../settling/computeRules.ts'
import {
  computeMaxUnsettled,
  computeSuspension,
  isProven,
  type JudgedAttempt,
  type Suspension,
} from '../settling/computeSuspension.ts'
import { computeWaiting } from '../settling/computeWaiting.ts'
import type { SolverFailure } from '../settling/findParticipation.ts'
import { pickWinners } from './pickWinners.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/**
 * Markets of honest and bad solvers, block by block, with the real rules and a chain that is a few lines. A bad solver
 * always promises more than the honest ones and repeats a script of any behaviours, which the property test searches:
 * it settles, settles for less than promised (at once, or with all its wins at their deadline), sends nothing, sends
 * nothing after it made its calldata fail, makes a transaction revert in a way that cannot be attributed, or moves the
 * pool of its own settlement, which it reports at once or only fails at its deadline. Its own orders are there whenever it wants a success on its record.
 */
const behaviours = ['settle', 'short', 'hoard', 'silent', 'withdraw', 'revert', 'move', 'moveLate'] as const
type Behaviour = (typeof behaviours)[number]

const market = fc.record({
  scripts: fc.array(fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 3,
  }),
  honestOrders: fc.integer({ min: 1, max: 4 }),
  deadlineBlocks: fc.integer({ min: 2, max: 5 }),
  /** of an honest solution, wei: far below the limit of distrusted solvers, near it, and above it */
  score: fc.constantFrom(10n ** 14n, 3n * 10n ** 16n, 10n ** 18n),
})
type Market = typeof market extends fc.Arbitrary<infer Value> ? Value : never

type Order = {
  uid: Hex
  owner: 'honest' | Address
  since: number
  failures: SolverFailure[]
  /** settlements that reverted without a known cause: the order waits after each */
  reverts: number
  lastRevert: number
}
type Attempt = {
  solver: Address
  order: Order
  end: number
  score: bigint
  outcome: JudgedAttempt['outcome']
  blame: JudgedAttempt['blame']
  /** see `Blame` */
  movedBlocks?: number
}

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const honest = address(1)
const [sellToken, buyToken] = [address(8), address(9)]
const blockMs = 12_000

const run = ({ scripts, honestOrders, deadlineBlocks, score: honestScore }: Market, blocks: number) => {
  const bad = scripts.map((script, i) => ({ solver: address(100 + i), script, step: 0 }))
  const solvers = [honest, ...bad.map(({ solver }) => solver)]
  let uids = 0
  const place = (owner: Order['owner'], since: number): Order => {
    uids += 1
    return { uid: `0x${uids.toString(16).padStart(112, '0')}`, owner, since, failures: [], reverts: 0, lastRevert: 0 }
  }
  const open = new Set<Order>()
  const running: Attempt[] = []
  const records = new Map<Address, JudgedAttempt[]>(solvers.map((solver) => [solver, []]))
  const suspensions = new Map<Address, Suspension>()
  /** `score`: what a solver can take from an order is at most what it promised above the limit, wei */
  const thefts: { solver: Address; block: number; score: bigint }[] = []
  let [waiting, slowest, honestExclusions]: [ReadonlyMap<Hex, number>, number, number] = [new Map(), 0, 0]

  const close = ({ solver, order, outcome, blame, movedBlocks, end, score }: Attempt) => {
    records.get(solver)?.unshift({ outcome, blame, endedAt: end * blockMs })
    if (outcome === 'success' || outcome === 'mismatch') {
      if (outcome === 'mismatch' && order.owner === 'honest') thefts.push({ solver, block: end, score })
      if (order.owner === 'honest') slowest = Math.max(slowest, end - order.since)
      return
    }
    const known = order.failures.find((failure) => failure.solver === solver)
    const failure = known ?? { orderUid: order.uid, solver, faults: 0, lastBlock: 0 }
    if (!known) order.failures.push(failure)
    if (outcome === 'reverted' && !movedBlocks) Object.assign(order, { reverts: order.reverts + 1, lastRevert: end })
    const weight = blame === 'none' && outcome === 'reverted' ? Math.min(movedBlocks ?? 4, 4) : 12
    Object.assign(failure, { faults: failure.faults + weight, lastBlock: end })
    open.add(order)
  }

  for (let block = 1; block <= blocks; block += 1) {
    for (const attempt of running.filter(({ end }) => end <= block)) {
      running.splice(running.indexOf(attempt), 1)
      close(attempt)
    }
    const now = block * blockMs
    const ownOrders = [...open, ...running.map(({ order }) => order)]
    while ([...open].filter(({ owner }) => owner === 'honest').length < honestOrders) open.add(place('honest', block))
    for (const { solver } of bad) if (!ownOrders.some(({ owner }) => owner === solver)) open.add(place(solver, block))
    for (const solver of solvers) {
      const former = suspensions.get(solver)
      const verdict = computeSuspension(records.get(solver) ?? [], former, now)
      if (!verdict) continue
      if (solver === honest) honestExclusions += 1
      const { level, durationMs } = verdict
      // as in `findParticipation`
      const isHeld = former !== undefined && former.until > now && former.reason === 'mismatch'
      const reason = isHeld ? former.reason : verdict.reason
      suspensions.set(solver, { reason, level, until: Math.max(now + durationMs, former?.until ?? 0) })
      records.set(solver, [])
    }
    const unsettledOf = (solver: Address) => running.filter((attempt) => attempt.solver === solver)
    const orders = [...open].filter(
      ({ reverts, lastRevert }) => reverts === 0 || block >= computeNextSettlementBlock(reverts, lastRevert),
    )
    waiting = computeWaiting(waiting, { orders: new Map(orders.map(({ uid }) => [uid, 0])), block })
    const rules = computeRules({
      participation: {
        suspensions: new Map([...suspensions].filter(([, { until }]) => until > now)),
        allowances: new Map(
          solvers.flatMap((solver) => {
            const most = computeMaxUnsettled(records.get(solver) ?? [], suspensions.get(solver), now)
            if (most === undefined) return []
            // as in `findParticipation`
            const used = unsettledOf(solver).reduce((sum, { score }) => sum + score, 0n)
            const left = most > used ? most - used : 0n
            return [[solver, { score: left, unsettled: unsettledOf(solver).length }] as const]
          }),
        ),
        unproven: new Set(solvers.filter((solver) => !isProven(records.get(solver) ?? []))),
        failures: orders.flatMap(({ failures }) => failures),
        debts: new Map(),
      },
      pauses: new Map(),
      able: solvers,
      ...{ waiting, block, deadlineBlocks },
    })
    const offered = solvers.flatMap((solver) =>
      orders.filter(({ uid }) => rules.maySee(solver, uid)).map((order) => ({ solver, order })),
    )
    const proposals = offered
      .filter(({ solver, order: { owner } }) => owner === 'honest' || owner === solver)
      .map(({ solver, order }, solutionId): ScoredSolution => {
        const score = solver === honest ? honestScore : 2n * honestScore
        const orders = new Map([[order.uid, { sellToken, buyToken } as never]])
        const pairScores = new Map([[toPair(sellToken, buyToken), score]])
        return { solver, solutionId, score, pairScores, orders, protocolFees: new Map() }
      })
    const winnerRules = { certainty: certaintyOf(orders), funds: new Map(), maxWinners: 20, wrappedNative: address(7) }
    const ranked = pickWinners({ ...rules, ...winnerRules, shuffle: (items) => [...items] }, proposals)
    for (const { solver, score, orders: won } of ranked.filter(({ isWinner }) => isWinner)) {
      const order = orders.find(({ uid }) => won.has(uid))
      if (!order) throw new Error('an unknown order won')
      open.delete(order)
      const player = bad.find((each) => each.solver === solver)
      // its own orders are always settled: they mend its record
      const isOwn = order.owner === solver
      const behaviour: Behaviour =
        player && !isOwn ? (player.script[player.step++ % player.script.length] ?? 'settle') : 'settle'
      running.push({ solver, order, score, ...toOutcome(behaviour, block, rules.deadlineBlocksOf(solver)) })
    }
  }
  return { slowest, thefts, honestExclusions, unfilled: [...open].filter(({ owner }) => owner === 'honest') }
}

const certaintyOf = (orders: readonly Order[]) =>
  new Map(
    orders.flatMap(({ uid, failures, reverts }) =>
      failures.length > 0 ? [[uid, reverts > 0 ? ('uncertain' as const) : ('split' as const)] as const] : [],
    ),
  )

const toOutcome = (
  behaviour: Behaviour,
  block: number,
  deadline: number,
): Pick<Attempt, 'end' | 'outcome' | 'blame' | 'movedBlocks'> => {
  if (behaviour === 'withdraw') return { end: block + deadline, outcome: 'timeout', blame: 'none' }
  if (behaviour === 'silent') return { end: block + deadline, outcome: 'timeout', blame: 'solver' }
  if (behaviour === 'hoard') return { end: block + deadline, outcome: 'mismatch', blame: 'solver' }
  if (behaviour === 'revert') return { end: block + 1, outcome: 'reverted', blame: 'none' }
  if (behaviour === 'move') return { end: block + 1, outcome: 'reverted', blame: 'none', movedBlocks: 1 }
  if (behaviour === 'moveLate')
    return { end: block + deadline, outcome: 'reverted', blame: 'none', movedBlocks: deadline }
  return behaviour === 'short'
    ? { end: block + 1, outcome: 'mismatch', blame: 'solver' }
    : { end: block + 1, outcome: 'success', blame: null }
}

test('no script of bad solvers delays an order, repeats a theft or excludes an honest solver beyond the stated bounds', () => {
  const blocks = 300
  const minutes = (blocks * blockMs) / 60_000
  fc.assert(
    fc.property(market, (drawn) => {
      const { slowest, thefts, honestExclusions, unfilled } = run(drawn, blocks)
      const count = drawn.scripts.length
      // each bad solver holds an order once until the deadline, makes it revert three times or for twelve blocks
      // behind a pool that it moved, with one block between two attempts, before it yields
      const reverts = Array.from({ length: 3 * count }, (_, i) => computeNextSettlementBlock(i + 1, 0))
      const backOff = reverts.reduce((sum, blocks) => sum + blocks, 0)
      const bound = count * (drawn.deadlineBlocks + 1 + 12 * 2) + backOff + 6
      expect(slowest).toBeLessThanOrEqual(bound)
      for (const { since } of unfilled) expect(blocks - since).toBeLessThanOrEqual(bound)
      expect(honestExclusions).toBe(0)
      // thefts: all wins in flight once, then one win and 0.1 ether, 0.05 ether, … after each suspension of 1, 2, 4, … minutes
      const times = 2 + Math.floor(Math.log2(minutes + 1))
      const promised = 2n * drawn.score
      const inFlight = BigInt(drawn.deadlineBlocks) * promised
      for (let i = 0; i < count; i += 1) {
        const own = thefts.filter(({ solver }) => solver === address(100 + i))
        const taken = own.reduce((sum, { score }) => sum + score, 0n)
        expect(taken).toBeLessThanOrEqual(inFlight + BigInt(times - 1) * promised + 2n * 10n ** 17n)
      }
    }),
    { seed: Number(process.env.FUZZ_SEED ?? 17), numRuns: process.env.LONG ? 1_000 : 60 },
  )
})

test('settling its own orders does not shorten the suspension of a solver that pays less', () => {
  const { thefts } = run({ scripts: [['short']], honestOrders: 2, deadlineBlocks: 3, score: 100n }, 600)
  const blocks = [...new Set(thefts.map(({ block }) => block))]
  const pauses = blocks.slice(1).map((block, i) => block - (blocks[i] ?? 0))
  for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual((60_000 / blockMs) * 2 ** i)
  expect(blocks.length).toBeGreaterThan(3)
})
