import fc from 'fast-check'
import { type Address, type Hex, keccak256, toBytes, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { parseAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import { networks } from '#shared/networks.ts'
import { orderCreationSchema } from '#shared/orders/orderCreation.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { faults, type OrderFault } from '#shared/orders/verdict/finding.ts'
import type { PriceFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { solverFeatures } from '#shared/solvers/solverList.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { type OrderWorld, reverting, simulateWorld } from '#test/helpers/orders/orderWorld.ts'
import { signOrderCreation } from '#test/helpers/orders/signOrderCreation.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { computeDiagnosis } from '../../debug/report/computeDiagnosis.ts'
import { type DryRun, type OrderDraft, orderDraftSchema } from '../../debug/simulation/dryRun.ts'
import type { SimulationDeps } from '../../debug/simulation/dryRunDeps.ts'
import { readDraft } from '../../debug/simulation/readDraft.ts'
import { simulateOrder } from '../../debug/simulation/simulateOrder.ts'
import { toDraft } from '../../debug/simulation/simulateStoredOrder.ts'
import { type CheckedOrder, checkNewOrder } from '../../orders/placement/checkNewOrder.ts'
import { findPlacementChainFacts } from '../../orders/placement/findPlacementChainFacts.ts'
import {
  computeBalanceExclusion,
  computeFailureExclusion,
  computePriceExclusion,
  computeSignatureExclusion,
  computeStaticExclusion,
  type Exclusion,
  isDoubtful,
} from './exclude.ts'
import type { Offer } from './findOffers.ts'
import { findHookFunds } from './funds/findHookFunds.ts'
import { toHoldingKey } from './funds/toHoldingKey.ts'

/**
 * Random orders, wallets, chain states and prices, with the real rules of placing an order, the dry run, the cut and
 * the diagnosis. `LONG=1`: a hundred times as many; `AGREEMENT_SEED` makes others.
 */
const runs = process.env.LONG ? 100_000 : 1_000
const seed = Number(process.env.AGREEMENT_SEED ?? 20_261_122)

const network = networks.sepolia
const domainSeparator = computeDomainSeparator(network.chainId, network.settlementContract)
const now = 1_800_000_000
const block = 100
const minValiditySeconds = 60
const outOfMarketBps = 5_000
const owner = devAccounts[0].address
const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const [tokenA, tokenB, untraded, bannedUser] = [address(1), address(2), address(3), address(4)] as [
  Address,
  Address,
  Address,
  Address,
]
const rules = { bannedUsers: new Set([bannedUser]), unsupportedTokens: new Set([untraded]) }

const amount = fc.oneof(fc.bigInt(1n, 6n), fc.bigInt(1n, 2_000n), fc.bigInt(10n ** 18n, 10n ** 20n))
const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) })
const hook = fc.record({
  target: fc.constantFrom(reverting, address(9)),
  callData: fc.constantFrom('0x01', '0x'),
  gasLimit: often('100000', '9000000'),
})
const loan = fc.record({
  liquidityProvider: fc.constant(address(7)),
  protocolAdapter: fc.constant(address(7)),
  receiver: often(owner as Address, address(8)),
  token: often(tokenA, tokenB),
  amount: amount.map(String),
})
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4, nil: undefined })
const metadata = fc.record(
  {
    flashloan: rarely(loan),
    wrappers: rarely(fc.constant([{ address: address(7), data: '0x' }])),
    hooks: rarely(fc.record({ pre: fc.array(hook, { maxLength: 2 }), post: fc.array(hook, { maxLength: 1 }) })),
    validFrom: rarely(fc.constantFrom(now - 10, now + 100)),
    partnerFee: rarely(fc.constantFrom({ bps: 10, recipient: address(5) }, { bps: 10, recipient: bannedUser })),
  },
  { requiredKeys: [] },
)
const near = (of: bigint) =>
  fc.oneof(fc.constant(of), fc.constant(of - 1n), fc.constant(0n), fc.constant(2n * of), fc.constant(1n))

const instance = fc
  .record({
    sellAmount: amount,
    buyAmount: amount,
    terms: fc.record({
      kind: fc.constantFrom('sell', 'buy'),
      partiallyFillable: fc.boolean(),
      fullBalanceCheck: fc.boolean(),
      sellToken: often(tokenA, untraded),
      buyToken: often(tokenB, untraded, tokenA),
      receiver: often<Address>(zeroAddress, bannedUser, network.settlementContract),
      validTo: often(now + 600, now + 60, now + 59, now - 1, now + 40_000_000),
    }),
    scheme: fc.oneof(
      { weight: 50, arbitrary: fc.constantFrom('presign' as const, 'eip1271' as const) },
      { weight: 1, arbitrary: fc.constant('eip712' as const) },
    ),
    metadata,
    documentOf: fc.constantFrom('text' as const, 'hash' as const, 'nothing' as const),
    prices: fc.record({ sell: often<bigint | null>(10n, null, 40n), buy: often<bigint | null>(10n, null, 3n) }),
    /** how much of the limit solvers offer, in 1/100; null: they do not respond */
    offered: often<bigint | null>(101n, 99n, 100n, 50n, null),
    inFlight: often(false, true),
    failures: often(0, 1, 3),
  })
  .chain((facts) =>
    fc.record({
      facts: fc.constant(facts),
      /** at admission, and at the cut after it */
      worlds: fc.tuple(worldOf(facts.sellAmount), fc.option(worldOf(facts.sellAmount), { freq: 2 })),
    }),
  )

const worldOf = (sellAmount: bigint): fc.Arbitrary<OrderWorld> =>
  fc.record({
    balance: fc.oneof(
      { weight: 9, arbitrary: near(sellAmount) },
      { weight: 1, arbitrary: fc.constantFrom<(bigint | undefined)[]>(undefined) },
    ),
    allowance: fc.oneof(
      { weight: 9, arbitrary: near(sellAmount) },
      { weight: 1, arbitrary: fc.constantFrom<(bigint | undefined)[]>(undefined) },
    ),
    gift: fc.oneof(fc.constant(0n), fc.constant(sellAmount)),
    accepts: often(true, false),
    presigned: fc.boolean(),
    invalidated: often(false, true),
    moves: often(true, false),
    delivered: often(100n, 99n),
  })

type Facts = typeof instance extends fc.Arbitrary<infer T> ? (T extends { facts: infer F } ? F : never) : never

/** The dry run of a draft, or of a stored order. */
const simulate = (
  facts: Facts,
  world: OrderWorld,
  draft: OrderDraft,
  document: string,
  stored: StoredOrder | null = null,
): Promise<DryRun> => {
  const deps: SimulationDeps = {
    network,
    domainSeparator,
    ...rules,
    maxGas: 8_000_000n,
    minValiditySeconds,
    outOfMarketBps,
    solverFeatures: [new Set(solverFeatures)],
    now: () => now * 1_000,
    simulate: simulateWorld(world, block),
    connect: () => expect.fail('the node simulates'),
    findTokenFault: async () => undefined,
    findPauses: async () => new Map(),
    findPrice: async ({ sellAmount, buyAmount }) => findPrice(facts, sellAmount, buyAmount),
  }
  return simulateOrder(deps, readDraft(deps, draft), {
    stored,
    fullAppData: document,
    namedQuote: null,
    market: null,
    settlementFailures: stored ? failuresOf(facts) : null,
    inFlight: stored !== null && facts.inFlight,
  })
}

/** Solvers without a native price quote nothing. */
const findPrice = ({ prices, offered }: Facts, sellAmount: bigint, buyAmount: bigint): PriceFacts => {
  const { sell: sellPrice, buy: buyPrice } = prices
  if (sellPrice === null || buyPrice === null) return { sellPrice, buyPrice }
  if (offered === null) return { sellPrice, buyPrice, executable: { unknown: 'quotesUnavailable' } }
  const executable = { sellAmount: sellAmount * 100n, buyAmount: buyAmount * offered, networkFee: 1n }
  return { sellPrice, buyPrice, executable }
}

const failuresOf = ({ failures }: Facts): Candidate['settlementFailures'] =>
  failures === 0 ? null : { failures, lastBlock: block - 2, bySolver: new Map() }

/** Why the auction of the block does not have the order; undefined: it is listed. */
const cut = async (
  facts: Facts,
  world: OrderWorld,
  order: StoredOrder,
): Promise<Exclusion | 'notSelected' | undefined> => {
  const isCandidate = order.validTo >= now + minValiditySeconds && (order.validFrom ?? 0) <= now
  if (!isCandidate || world.invalidated) return 'notSelected'
  const { flashloan, wrappers } = parseAppData(order.fullAppData ?? '{}')
  const candidate: Candidate = {
    order: order as never,
    quote: null,
    funding: flashloan || wrappers.length > 0 ? { flashloan, wrappers } : null,
    inFlight: facts.inFlight,
    sellInFlight: 0n,
    entered: false,
    newestLabel: 'created',
    newestReason: null,
    settlementFailures: failuresOf(facts),
  }
  const isRefused = order.signingScheme === 'eip1271' && order.preInteractions.length === 0 && !world.accepts
  const isHooked = order.preInteractions.length > 0
  const hookFunds = isHooked
    ? await findHookFunds({ network, simulate: simulateWorld(world, block) }, new Map(), cutBlock, [candidate])
    : new Map()
  const { balance = 0n, allowance = 0n } = world
  const key = toHoldingKey({ owner: order.owner, token: order.sellToken })
  const funds = new Map(isHooked ? [] : [[key, { balance, allowance }]])
  const { sell, buy } = facts.prices
  const prices = new Map<Address, bigint>()
  if (sell !== null) prices.set(order.sellToken, sell)
  if (buy !== null) prices.set(order.buyToken, buy)
  return (
    computeStaticExclusion(candidate, rules, now) ??
    computeFailureExclusion(candidate, block) ??
    computeSignatureExclusion(candidate, new Set(isRefused ? [order.uid] : [])) ??
    computeBalanceExclusion(candidate, network, funds, hookFunds) ??
    computePriceExclusion(candidate, prices, outOfMarketBps, offersOf(facts, candidate, prices))
  )
}
/** Before fees an offer is better than after them; only orders far from the native prices are compared with one. */
const offersOf = ({ offered }: Facts, candidate: Candidate, prices: ReadonlyMap<Address, bigint>): Map<Hex, Offer> => {
  const { uid, sellAmount, buyAmount } = candidate.order
  if (offered === null || !isDoubtful(candidate, prices, outOfMarketBps)) return new Map()
  return new Map([[uid, { sellAmount: sellAmount * 100n, buyAmount: buyAmount * (offered + 1n) }]])
}

const cutBlock = { number: block, hash: `0x${'01'.repeat(32)}`, timestamp: new Date(now * 1_000) } as never

/** Codes of the failed checks, as the cut names them. */
const listCodes = ({ checks }: DryRun): string[] =>
  checks.flatMap(({ check, status, reason }) => {
    if (status !== 'fail') return []
    const unreadable = { balance: 'UnreadableBalance', allowance: 'UnreadableAllowance' } as const
    const fault =
      reason === 'TransferSimulationFailed' && check in unreadable
        ? unreadable[check as keyof typeof unreadable]
        : (reason as OrderFault)
    return [faults[fault]?.code ?? String(reason)]
  })

const store = ({ fullAppData: _, ...row }: CheckedOrder['order'], document: string, world: OrderWorld): StoredOrder =>
  ({
    ...filledOrder,
    ...row,
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
    presigned: row.signingScheme === 'presign' && world.presigned,
    invalidated: world.invalidated,
    fullAppData: document,
  }) as StoredOrder

const diagnose = (order: StoredOrder, { label, reason, data }: Exclusion): string => {
  const event = { label, reason, data, createdAt: new Date((now - 5) * 1_000) }
  const facts = {
    events: [event],
    solutions: [],
    attempts: [],
    trades: [],
    membership: { first: null, last: null, isOpen: false } as const,
    currentAuction: undefined,
  }
  return computeDiagnosis(order, facts, now).code
}

const tally = { accepted: 0, refused: 0, fillable: 0, listed: 0, reasons: new Map<string, number>() }

test(`${runs} random orders have one verdict in the dry run, the cut and the diagnosis`, {
  timeout: process.env.LONG ? 1_800_000 : 300_000,
}, async () => {
  const check = async ({ facts, worlds }: { facts: Facts; worlds: [OrderWorld, OrderWorld | null] }) => {
    const [world, later] = worlds
    const document = facts.documentOf === 'nothing' ? '{}' : JSON.stringify({ metadata: facts.metadata })
    const { scheme, terms } = facts
    const signed = await buildCreation(facts, document)
    const creation = orderCreationSchema.parse({ ...signed, fullBalanceCheck: terms.fullBalanceCheck })
    const checking = checkNewOrder(
      {
        network,
        domainSeparator,
        ...rules,
        maxGas: 8_000_000n,
        minValiditySeconds,
        solverFeatures: [new Set(solverFeatures)],
        recoverPublicKey,
        findOrderFacts: (query) =>
          findPlacementChainFacts(
            { network, simulate: simulateWorld(world, block), connect: () => expect.fail(), timeoutMs: 1_000 },
            query,
          ),
        checkTokenFaults: async () => undefined,
        findTokens: async () => () => undefined,
      },
      creation,
      async () => ({
        duplicate: null,
        quote: null,
        namedQuote: null,
        fullAppData: facts.documentOf === 'hash' ? document : null,
      }),
      now,
    )
    const checked = await checking.catch((error: unknown) => {
      if (error instanceof ApiError) return error.errorType
      throw error
    })
    const orderDraft = orderDraftSchema.parse({ ...signed, fullBalanceCheck: terms.fullBalanceCheck })
    const draft = await simulate(facts, world, orderDraft, document)
    if (typeof checked === 'string') {
      tally.refused += 1
      // what is refused is never called fillable
      expect([checked, draft.fillable]).toEqual([checked, false])
      const reasons = draft.checks.map(({ reason }) => (reason === 'FeeOnTransfer' ? 'UnsupportedToken' : reason))
      expect(reasons).toContain(checked)
      return
    }
    tally.accepted += 1
    const fresh = { ...facts, inFlight: false, failures: 0 }
    const order = store(checked.order, document, world)
    const first = await cut(fresh, world, order)
    if (draft.fillable) {
      tally.fillable += 1
      expect(first).toBeUndefined()
    }
    await agree(fresh, world, order, document)
    if (later) await agree(facts, later, store(checked.order, document, later), document)
    expect(scheme).toBe(order.signingScheme)
  }
  await fc.assert(fc.asyncProperty(instance, check as never), { numRuns: runs, seed })
  // every branch is reached
  expect(tally.accepted).toBeGreaterThan(runs / 5)
  expect(tally.fillable).toBeGreaterThan(runs / 50)
  expect(tally.listed).toBeGreaterThan(runs / 20)
  for (const code of [
    'in_flight',
    'settlement_failed',
    'invalid_signature',
    'hook_reverts',
    'insufficient_balance',
    'insufficient_allowance',
    'dust_order',
    'missing_native_price',
    'out_of_market',
  ]) {
    expect([code, tally.reasons.get(code) ?? 0]).toEqual([code, expect.any(Number)])
    expect(tally.reasons.get(code), code).toBeGreaterThan(0)
  }
})

/** The dry run of the placed order, the cut and the diagnosis: listed when fillable, else one reason for all. */
const agree = async (facts: Facts, world: OrderWorld, order: StoredOrder, document: string): Promise<void> => {
  const dryRun = await simulate(facts, world, toDraft(order), document, order)
  const exclusion = await cut(facts, world, order)
  if (exclusion === undefined) {
    tally.listed += 1
    return
  }
  expect(dryRun.fillable).toBe(false)
  if (exclusion === 'notSelected') return
  tally.reasons.set(exclusion.reason, (tally.reasons.get(exclusion.reason) ?? 0) + 1)
  expect(listCodes(dryRun)).toContain(exclusion.reason)
  const expected = exclusion.reason === 'in_flight' ? 'executing' : exclusion.reason
  const diagnosed = diagnose(order, exclusion)
  expect([diagnosed]).toEqual([diagnosed === 'presignature_pending' ? diagnosed : expected])
}

const buildCreation = async (
  { terms, sellAmount, buyAmount, scheme, documentOf }: Facts,
  appData: string,
): Promise<Record<string, unknown>> => {
  const { fullBalanceCheck: _, ...others } = terms
  const amounts = { sellAmount: sellAmount.toString(), buyAmount: buyAmount.toString() }
  const order = { ...others, ...amounts, appData }
  const hash = keccak256(toBytes(appData))
  const sent = documentOf === 'hash' ? hash : appData
  if (scheme === 'eip712') {
    const { appDataHash: _hash, ...signed } = await signOrderCreation(order)
    return { ...signed, appData: sent }
  }
  const signature: Hex = scheme === 'presign' ? '0x' : '0x12'
  return { ...order, appData: sent, feeAmount: '0', signingScheme: scheme, signature, from: owner }
}
