import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import { ApiError } from '#shared/http/errors.ts'
import { networks } from '#shared/networks.ts'
import { type SolveRequest, solveChangesSchema } from '#shared/solvers/driverApi.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { drawPools } from '#test/helpers/solvers/drawPools.ts'
import { publicEngineRequestSchema } from '#test/helpers/solvers/publicEngineRequest.ts'
import { publicSolveRequestSchema } from '#test/helpers/solvers/publicSolveRequest.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { toOwnerTokenKey } from '../../solver/batches/toOwnerTokenKey.ts'
import { buildEngineAuction } from '../../solver/engine/buildEngineAuction.ts'
import { buildEngineOrder } from '../../solver/engine/buildEngineOrder.ts'
import { isSettleable } from '../../solver/solutions/isSettleable.ts'
import type { Auction } from '../auction.ts'
import { computeFeePolicies } from '../book/computeFeePolicies.ts'
import { toAuctionOrder } from '../book/toAuctionOrder.ts'
import { toQuotedAmounts } from '../book/toQuotedAmounts.ts'
import { createSolveBodies } from './solveBodies.ts'

const { hooksTrampoline, wrappedNative } = networks.sepolia
const now = 1_800_000_000
const maxUint256 = 2n ** 256n - 1n
const gone: Hex = `0x${'99'.repeat(56)}`

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const address = bytes(20) as fc.Arbitrary<Address>
const data = fc.uint8Array({ maxLength: 70 }).map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
const amount = fc.oneof(fc.bigInt(1n, 2_000n), fc.bigInt(1n, maxUint256), fc.constant(maxUint256))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const bps = fc.oneof(fc.constantFrom(0, 1, 5_000, 9_999, 10_000), fc.nat(10_000))

const partnerFee = fc.oneof(
  fc.record({ recipient: address, bps }),
  fc.record({ recipient: address, volumeBps: bps }),
  fc.record({ recipient: address, surplusBps: bps, maxVolumeBps: bps }),
  fc.record({ recipient: address, priceImprovementBps: bps, maxVolumeBps: bps }),
)
const hook = fc.record({ target: address, callData: data, gasLimit: amount.map(String) })
const metadata = fc.record({
  partnerFee: optional(fc.oneof(partnerFee, fc.array(partnerFee, { maxLength: 4 }))),
  hooks: optional(fc.record({ pre: fc.array(hook, { maxLength: 2 }), post: fc.array(hook, { maxLength: 2 }) })),
  flashloan: optional(
    fc.record({
      ...{ liquidityProvider: address, protocolAdapter: address, receiver: address, token: address },
      amount: amount.map(String),
    }),
  ),
  wrappers: optional(
    fc.array(fc.record({ address, data: optional(data), isOmittable: optional(fc.boolean()) }), { maxLength: 3 }),
  ),
})
const order = fc.record({
  ...{ uid: bytes(56), owner: address, receiver: fc.option(address), sellToken: address, buyToken: address },
  ...{ sellAmount: amount, buyAmount: amount, feeAmount: fc.oneof(fc.constant(0n), amount) },
  kind: fc.constantFrom('sell' as const, 'buy' as const),
  partiallyFillable: fc.boolean(),
  validTo: fc.integer({ min: now, max: 0xffff_ffff }),
  sellTokenBalance: fc.constantFrom('erc20' as const, 'internal' as const, 'external' as const),
  buyTokenBalance: fc.constantFrom('erc20' as const, 'internal' as const),
  class: fc.constantFrom('market' as const, 'limit' as const, 'liquidity' as const),
  signingScheme: fc.constantFrom('eip712' as const, 'ethsign' as const, 'presign' as const, 'eip1271' as const),
  ...{ signature: fc.oneof(data, bytes(65)), appDataHash: bytes(32) },
})
const quote = fc.record({ sellAmount: amount, buyAmount: amount, feeAmount: fc.nat().map(BigInt), solver: address })
const share = fc.double({ min: 0, max: 0.99, noNaN: true })
const feeRules = fc.record({
  policies: fc.array(
    fc.record({
      kind: fc.constantFrom('surplus' as const, 'volume' as const, 'priceImprovement' as const),
      orderClass: fc.constantFrom('market' as const, 'limit' as const, 'any' as const),
      ...{ factor: share, maxVolumeFactor: share, from: fc.constant(0), until: fc.constant(Infinity) },
    }),
    { maxLength: 3 },
  ),
  buckets: fc.constant([]),
  maxPartnerPpm: fc.nat(1_000_000).map(BigInt),
})

const pools = [...drawPools(createRandom(17)).values()].flat()

/** What an engine of the public system receives of an auction, as `findEngineSolutions` builds it. */
const writeForEngine = (full: unknown, owned: bigint | undefined): unknown => {
  const { kind: _, ...auction } = solveChangesSchema.parse(full) as SolveRequest & { kind: 'full' }
  const orders = auction.orders
    .filter((each) => isSettleable(each, now * 1_000 - 1))
    .flatMap((each) => {
      const funds = owned === undefined ? [] : [[toOwnerTokenKey(each.owner, each.sellToken), owned] as const]
      return buildEngineOrder(each, new Map(funds), wrappedNative) ?? []
    })
  const tokens = new Map(auction.tokens.map(({ address }) => [address, { decimals: 18, balance: maxUint256 }]))
  const market = { network: networks.sepolia, orders, pools, tokens, gasPrice: 1n, deadlineMs: now * 1_000 }
  return JSON.parse(JSON.stringify(buildEngineAuction(auction, market)))
}

/** @returns undefined for a document that admission refuses */
const parse = (document: string): ParsedAppData | undefined => {
  try {
    return parseAppData(document)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

test('drivers and engines of the public system and solvers of ours can read every order with every document', () => {
  let [admitted, offered] = [0, 0]
  const property = fc.property(
    ...([order, metadata, fc.option(quote), feeRules, fc.bigInt(0n, 5n), fc.boolean(), optional(amount)] as const),
    (terms, fields, quoted, rules, executed, hasFailed, owned) => {
      const parsed = parse(JSON.stringify({ metadata: fields }))
      if (!parsed) return
      admitted += 1
      const { hooks, partnerFees, flashloan, wrappers } = parsed
      const candidate: Candidate = {
        order: {
          ...{ ...filledOrder, ...terms, partnerFees, executedSellAmount: executed, executedBuyAmount: executed },
          preInteractions: buildHookInteractions(hooksTrampoline, hooks.pre),
          postInteractions: buildHookInteractions(hooksTrampoline, hooks.post),
        },
        quote: quoted,
        funding: flashloan || wrappers.length > 0 ? { flashloan, wrappers } : null,
        ...{ inFlight: false, sellInFlight: 0n, entered: false, newestLabel: null, newestReason: null },
        settlementFailures: hasFailed ? { failures: 1, lastBlock: 1, bySolver: new Map() } : null,
      }
      const policies = computeFeePolicies(rules, candidate.order, toQuotedAmounts(candidate), { wrappedNative, now })
      const { uid } = candidate.order
      const body = { uid, body: JSON.stringify(toAuctionOrder(candidate, policies)) }
      const auction = { id: 7, body: { orders: [body], prices: { [terms.buyToken]: '0' } } } as unknown as Auction
      const bodies = createSolveBodies(new Set([terms.owner]), auction)
      const found = bodies.find(() => true, now * 1_000)
      const full = JSON.parse(found?.writeFull().json ?? '')
      const delta = JSON.parse(found?.writeDelta({ id: 6, orders: new Map([[gone, '{}']]) }).json ?? '')
      for (const read of [full, JSON.parse(bodies.writeProbe([body], now * 1_000).json)]) {
        publicSolveRequestSchema.parse(read)
        solveChangesSchema.parse(read)
      }
      const forEngine = publicEngineRequestSchema.parse(writeForEngine(full, owned))
      offered += forEngine.orders.length
      expect(publicSolveRequestSchema.safeParse(delta).success).toBe(false)
      expect(solveChangesSchema.parse(delta)).toMatchObject({ updatedOrders: [{ uid }], removedOrders: [gone] })
    },
  )
  const numRuns = process.env.LONG ? 10_000 : 500
  fc.assert(property, { seed: Number(process.env.FUZZ_SEED ?? 17), numRuns })
  expect(admitted).toBeGreaterThan(numRuns / 4)
  expect(offered).toBeGreaterThan(numRuns / 50)
})
