import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { type SolverFeature, solverFeatures } from '#shared/solvers/solverList.ts'
import { deployOddToken, deployTestContract } from '#test/helpers/chain/oddContracts.ts'
import { buildHookDocument, deployPermitToken } from '#test/helpers/chain/permitToken.ts'
import { deploySafe } from '#test/helpers/chain/safe.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { signOrder } from '#test/helpers/orders/signOrder.ts'
import { deployHooksTrampoline } from '#tools/stack/chain/contracts/deployHooksTrampoline.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { type DryRun, dryRunSchema, orderDraftSchema } from './dryRun.ts'
import type { SimulationDeps } from './dryRunDeps.ts'
import { readDraft } from './readDraft.ts'
import { settlementSimulation } from './settlementSimulation.ts'
import { simulateOrder } from './simulateOrder.ts'
import { toDraft } from './simulateStoredOrder.ts'

const network = networks.sepolia
const now = Math.floor(Date.now() / 1_000)
const wei = 10n ** 18n
/** has the test tokens, and approved DAI */
const owner = devAccounts[7]
const poor = devAccounts[6]
const reverting: Address = '0x1271000000000000000000000000000000000002'
const accepting: Address = '0x1271000000000000000000000000000000000001'

const { database, close } = await startTestDatabase()
let chain: SettlementChain

beforeAll(async () => {
  chain = await startSettlementChain()
  await deployHooksTrampoline(chain.chain)
  await chain.chain.setCode({ address: reverting, bytecode: '0x60006000fd' })
  await chain.chain.setCode({ address: accepting, bytecode: '0x631626ba7e60e01b60005260206000f3' })
})
afterAll(async () => {
  await close()
  await chain?.stop()
})

const market = { auctionId: 12, sellPrice: 3n * wei, buyPrice: wei }
const noFacts: DryRunFacts = {
  stored: null,
  fullAppData: null,
  namedQuote: null,
  market,
  settlementFailures: null,
  inFlight: false,
}
/** Solvers give 2.95 COW for a DAI, all fees included. */
const findPrice: SimulationDeps['findPrice'] = async ({ sellAmount }) => ({
  sellPrice: undefined,
  buyPrice: undefined,
  executable: { sellAmount: 100n * sellAmount, buyAmount: 295n * sellAmount, networkFee: 5n },
})

const buildDeps = (changes: Partial<SimulationDeps> = {}): SimulationDeps => ({
  network,
  domainSeparator: computeDomainSeparator(network.chainId, network.settlementContract),
  bannedUsers: new Set(),
  unsupportedTokens: new Set(),
  maxGas: 8_000_000n,
  minValiditySeconds: 60,
  outOfMarketBps: 5_000,
  solverFeatures: [new Set(solverFeatures)],
  simulate: simulateCalls(chain.rpcUrl),
  connect: () => chain.client,
  findPrice,
  findTokenFault: async () => undefined,
  findPauses: async () => new Map(),
  now: () => 1_000 * now,
  ...changes,
})

const sign = async (changes: object = {}, key: Hex = owner.privateKey) =>
  signOrder({ chainId: network.chainId, contracts: { settlement: network.settlementContract } } as StackInfo, key, {
    sellToken: chain.tokens.DAI.address,
    buyToken: chain.tokens.COW.address,
    sellAmount: 1000n,
    buyAmount: 2900n,
    ...changes,
  })

const simulate = async (body: object, facts?: Partial<DryRunFacts>, changes?: Partial<SimulationDeps>) => {
  const deps = buildDeps(changes)
  const draft = readDraft(deps, orderDraftSchema.parse(body))
  const dryRun = await simulateOrder(deps, draft, { ...noFacts, ...facts })
  expect(dryRunSchema.safeParse(dryRun).error).toBeUndefined()
  return dryRun
}
/** The dry run of the remainder of a stored order. */
const simulateStored = async (stored: StoredOrder, facts: Partial<DryRunFacts> = {}) => {
  const deps = buildDeps()
  return simulateOrder(deps, readDraft(deps, toDraft(stored)), { ...noFacts, stored, fullAppData: '{}', ...facts })
}
const requestSimulation = async (path: string, body?: object) => {
  const response = await settlementSimulation({ ...buildDeps(), database }).request(
    `/restricted/api/v1/debug/simulation${path}`,
    body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  )
  return { status: response.status, body: await response.json() }
}

describe('the simulation in the public shape', () => {
  test('has no error for an order that would settle', async () => {
    const { from, ...creation } = await sign()
    const { status, body } = await requestSimulation('', { ...creation, owner: from })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      tenderlyRequest: { network_id: '11155111', block_number: expect.any(Number) },
      error: null,
    })
  })

  test('has the failed checks as its error', async () => {
    const { from: _, ...creation } = await sign({}, poor.privateKey)
    const { body } = await requestSimulation('', { ...creation, owner: poor.address })
    expect(body).toMatchObject({ error: expect.stringContaining('balance: InsufficientBalance') })
  })

  test('simulates the remainder of a stored order, and is 404 for an unknown one', async () => {
    const { uid } = newOrder(1)
    expect(await requestSimulation(`/${uid}`)).toMatchObject({
      status: 404,
      body: { errorType: 'NotFound', data: { uid } },
    })
    await storeOrder(database, newOrder(1))
    const { status, body } = await requestSimulation(`/${uid}`)
    expect([status, body]).toMatchObject([200, { error: expect.stringContaining('balance: ') }])
  })

  test('rejects an older block, which it could not simulate', async () => {
    expect((await requestSimulation(`/${filledOrder.uid}?block_number=7`)).status).toBe(400)
    const { from, ...creation } = await sign()
    expect((await requestSimulation('', { ...creation, owner: from, blockNumber: 7 })).status).toBe(400)
  })
})

const find = ({ checks }: DryRun, name: string) => checks.find(({ check }) => check === name)
/** Every check that did not pass: `balance fail InsufficientBalance`. */
const complaints = ({ checks }: DryRun) =>
  checks.flatMap(({ check, status, reason }) => (status === 'pass' ? [] : [`${check} ${status} ${reason}`]))

test('a good order passes every check, with the evidence', async () => {
  const dryRun = await simulate(await sign())
  expect(complaints(dryRun)).toEqual([])
  expect(dryRun).toMatchObject({ fillable: true, block: Number(await chain.client.getBlockNumber()) + 1 })
  expect(dryRun.orderUid).toMatch(/^0x[0-9a-f]{112}$/)
  const token = chain.tokens.DAI.address
  expect(find(dryRun, 'balance')?.evidence).toMatchObject({ needed: '1000', token })
  expect(find(dryRun, 'allowance')?.evidence).toMatchObject({ needed: '1000', spender: network.vaultRelayer })
  expect(find(dryRun, 'transferability')?.evidence).toEqual({ token, amount: '1000', received: '1000' })
  expect(find(dryRun, 'price')?.evidence).toEqual({
    limitPrice: '2.9',
    marketPrice: '2.95',
    gapBps: -169,
    quotedSellAmount: '100000',
    quotedBuyAmount: '295000',
    networkFee: '5',
  })
})

describe('an order that signs the fee of a quote', () => {
  const signed = async (changes: object = {}) => ({ ...(await sign({ feeAmount: 9n, ...changes })), quoteId: 7 })
  const quote = () => ({
    ...{ id: 7, sellToken: chain.tokens.DAI.address, buyToken: chain.tokens.COW.address, kind: 'sell' as const },
    ...{ feeAmount: 9n, offeredSellAmount: 1000n, offeredBuyAmount: 2900n, expiresAt: new Date(now * 1_000) },
  })

  test('passes every check, and needs its fee beside its sell amount', async () => {
    const dryRun = await simulate(await signed(), { namedQuote: quote() })
    expect(complaints(dryRun)).toEqual([])
    expect(find(dryRun, 'balance')?.evidence).toMatchObject({ needed: '1009' })
    expect(find(dryRun, 'transferability')?.evidence).toMatchObject({ amount: '1009' })
  })

  test.each<[string, () => object, object]>([
    ['an unknown quote', () => ({ namedQuote: null }), { reason: 'unknownQuote' }],
    [
      'an expired quote',
      () => ({ namedQuote: { ...quote(), expiresAt: new Date(now * 1_000 - 1) } }),
      { reason: 'expiredQuote' },
    ],
    [
      'a quote with another fee',
      () => ({ namedQuote: { ...quote(), feeAmount: 10n } }),
      { reason: 'otherFee', expected: '10', got: '9' },
    ],
  ])('is rejected like by POST orders with %s', async (_, facts, evidence) => {
    const dryRun = await simulate(await signed(), facts())
    expect(complaints(dryRun)).toEqual(['shape fail NonZeroFee'])
    expect(find(dryRun, 'shape')?.evidence).toMatchObject(evidence)
  })

  test('is judged without its quote once it is placed, by the rest of its amounts and of its fee', async () => {
    const order = await signed({ partiallyFillable: true })
    const stored = {
      ...filledOrder,
      ...{
        sellToken: chain.tokens.DAI.address,
        buyToken: chain.tokens.COW.address,
        owner: owner.address,
        validTo: now + 600,
      },
      ...{ sellAmount: 1000n, buyAmount: 2900n, feeAmount: 9n, partiallyFillable: true, signature: order.signature },
      ...{ executedSellAmount: 504n, executedFeeAmount: 4n, executedBuyAmount: 1500n, fullBalanceCheck: true },
    }
    const dryRun = await simulateStored(stored, { fullAppData: null })
    expect(find(dryRun, 'shape')?.status).toBe('pass')
    expect(find(dryRun, 'transferability')?.evidence).toMatchObject({ amount: '505' })
  })
})

const document = (metadata: object) => JSON.stringify({ metadata })
const loan = (token: Address) => ({
  liquidityProvider: zeroAddress,
  protocolAdapter: zeroAddress,
  receiver: poor.address,
  token,
  amount: '1000',
})
const hook = (target: Address, gasLimit = '100000') => ({ target, callData: '0x', gasLimit })

describe('reports the failed checks of an order, and no other:', () => {
  const cases: [string, () => Promise<object>, string[]][] = [
    ['unsigned', async () => ({ ...(await sign()), signature: undefined }), ['signature skipped unsigned']],
    [
      'unsigned without an owner',
      async () => ({ ...(await sign()), signature: undefined, from: null }),
      [
        'permission skipped unknownOwner',
        'signature skipped unsigned',
        'balance skipped unknownOwner',
        'allowance skipped unknownOwner',
        'transferability skipped unknownOwner',
        'payout skipped unknownOwner',
      ],
    ],
    ['nothing sold', () => sign({ sellAmount: 0n }), ['shape fail ZeroAmount', 'price skipped zeroAmount']],
    ['one token', () => sign({ buyToken: chain.tokens.DAI.address }), ['shape fail SameBuyAndSellToken']],
    [
      'unsupported token',
      () => sign({ buyToken: reverting }),
      ['tokens fail UnsupportedToken', 'payout skipped notTried'],
    ],
    ['banned receiver', () => sign({ receiver: reverting }), ['permission fail Forbidden']],
    ['expired', () => sign({ validTo: now - 1 }), ['expiry fail OrderExpired']],
    ['about to expire', () => sign({ validTo: now + 30 }), ['expiry fail InsufficientValidTo']],
    ['valid for ages', () => sign({ validTo: now + 400 * 86_400 }), ['time fail ExcessiveValidTo']],
    ['not yet valid', () => sign({ appData: document({ validFrom: now + 100 }) }), ['time fail NotYetValid']],
    [
      'valid for too short',
      () => sign({ appData: document({ validFrom: now + 590 }), validTo: now + 600 }),
      ['appData fail InvalidValidFrom', 'time fail NotYetValid'],
    ],
    [
      'changed after signing',
      async () => ({ ...(await sign()), buyAmount: '2800' }),
      ['signature fail InvalidSignature'],
    ],
    [
      'unusable document',
      async () => ({ ...(await sign()), appData: '[]' }),
      [
        'appData fail InvalidAppData',
        'signature skipped unknownAppData',
        'hooks skipped unknownAppData',
        'balance skipped unknownAppData',
        'allowance skipped unknownAppData',
        'transferability skipped unknownAppData',
        'payout skipped unknownAppData',
      ],
    ],
    [
      'unknown document',
      () => sign({ appData: `0x${'ab'.repeat(32)}` }),
      ['appData fail InvalidAppData', 'hooks skipped unknownAppData'],
    ],
    [
      'no balance',
      () => sign({}, poor.privateKey),
      [
        'balance fail InsufficientBalance',
        'allowance fail InsufficientAllowance',
        'transferability skipped insufficientFunds',
      ],
    ],
    [
      'no allowance',
      () => sign({ sellToken: chain.tokens.USDC.address }),
      ['allowance fail InsufficientAllowance', 'transferability skipped insufficientFunds'],
    ],
    [
      'no token',
      () => sign({ sellToken: `0x${'90'.repeat(20)}` }),
      [
        'balance fail TransferSimulationFailed',
        'allowance fail TransferSimulationFailed',
        'transferability skipped insufficientFunds',
      ],
    ],
    ['a dear limit', () => sign({ buyAmount: 3001n }), ['price fail OutOfMarket']],
    [
      'a hook that reverts beside sufficient funds, which prevents no settlement',
      () => sign({ appData: document({ hooks: { pre: [hook(zeroAddress), hook(reverting)] } }) }),
      ['hooks skipped HookReverts'],
    ],
    [
      'a hook that reverts and should have supplied the funds',
      () => sign({ appData: document({ hooks: { pre: [hook(zeroAddress), hook(reverting)] } }) }, poor.privateKey),
      [
        'hooks fail HookReverts',
        'balance fail InsufficientBalance',
        'allowance fail InsufficientAllowance',
        'transferability skipped insufficientFunds',
      ],
    ],
    [
      'hooks without end',
      () => sign({ appData: document({ hooks: { post: [hook(zeroAddress, '8000001')] } }) }),
      ['hooks fail TooMuchGas'],
    ],
    [
      'a presignature that is missing',
      async () => ({ ...(await sign()), signingScheme: 'presign', signature: '0x' }),
      ['signature fail PresignaturePending'],
    ],
    [
      'a contract that refuses',
      async () => ({ ...(await sign()), signingScheme: 'eip1271', signature: '0x12', from: reverting }),
      [
        'signature fail InvalidEip1271Signature',
        'balance fail InsufficientBalance',
        'allowance fail InsufficientAllowance',
        'transferability skipped insufficientFunds',
      ],
    ],
    [
      'a wrapper, which may supply the funds',
      () => sign({ appData: document({ wrappers: [{ address: zeroAddress, data: '0x' }] }) }, poor.privateKey),
      [
        'balance skipped broughtByWrapper',
        'allowance skipped broughtByWrapper',
        'transferability skipped broughtByWrapper',
        'payout skipped broughtByWrapper',
      ],
    ],
    [
      'a flash loan of another token',
      () => sign({ appData: document({ flashloan: loan(chain.tokens.COW.address) }) }, poor.privateKey),
      [
        'balance fail InsufficientBalance',
        'allowance fail InsufficientAllowance',
        'transferability skipped insufficientFunds',
      ],
    ],
    [
      'a flash loan of the sell token, which approves nothing',
      () => sign({ appData: document({ flashloan: loan(chain.tokens.DAI.address) }) }, poor.privateKey),
      ['allowance fail InsufficientAllowance', 'transferability skipped insufficientFunds'],
    ],
    [
      'a limit that meets the native prices, but no offer after fees',
      () => sign({ buyAmount: 2951n }),
      ['price fail OutOfMarket'],
    ],
  ]

  test.each(cases)('%s', async (_, build, expected) => {
    const rules = { bannedUsers: new Set([reverting]), unsupportedTokens: new Set([reverting]) }
    const order = (await build()) as { buyToken: Address; receiver: Address; from: Address }
    const dryRun = await simulate(order, {}, order.from === reverting ? {} : rules)
    expect(complaints(dryRun)).toEqual(expected)
    expect(dryRun.fillable).toBe(!expected.some((complaint) => complaint.includes(' fail ')))
  })

  test('the numbers are those of the chain', async () => {
    const dryRun = await simulate(
      await sign({ appData: document({ hooks: { pre: [hook(reverting)] } }) }, poor.privateKey),
    )
    expect(find(dryRun, 'balance')?.evidence).toEqual({
      available: '0',
      needed: '1000',
      token: chain.tokens.DAI.address,
    })
    expect(find(dryRun, 'hooks')?.evidence).toMatchObject({ pre: 1, hook: 0, target: reverting })
  })
})

describe('a payout', () => {
  const pay = async (receiver: Address, buyToken: Address = nativeSentinel) =>
    simulate(await sign({ receiver, buyToken }), {})
  const payout = (dryRun: DryRun) => find(dryRun, 'payout')

  test('in the native token reaches accounts, Safes and other proxies', async () => {
    const wallet = await deployTestContract(chain.chain, 'PickyWallet', [zeroAddress, false, false])
    const proxy = await deployTestContract(chain.chain, 'OtherProxy', [wallet])
    const safe = await deploySafe(chain.chain, devAccounts[3])
    for (const receiver of [poor.address, wallet, proxy, safe.address])
      expect(payout(await pay(receiver))).toMatchObject({ status: 'pass', evidence: { receiver } })
  })

  test('fails with the revert of a receiver that refuses it', async () => {
    const receiver = await deployTestContract(chain.chain, 'PickyWallet', [zeroAddress, false, true])
    const dryRun = await pay(receiver)
    expect(dryRun.fillable).toBe(false)
    expect(payout(dryRun)).toMatchObject({ status: 'fail', reason: 'TransferSimulationFailed' })
    expect(payout(dryRun)?.evidence).toEqual({ token: nativeSentinel, receiver, revert: 'no ether' })
  })

  test('fails with the revert of a token that blocks the receiver', async () => {
    const odd = await deployOddToken(chain.chain, { hasPool: false })
    expect(payout(await pay(poor.address, odd.address))?.status).toBe('pass')
    await odd.set('setBlocked', poor.address, true)
    expect(payout(await pay(poor.address, odd.address))?.evidence).toMatchObject({ revert: 'blocked' })
  })

  test('that only the simulated settlement shows fails with its revert', async () => {
    const noPrices = { sellPrice: undefined, buyPrice: undefined }
    const executable = { fault: 'PayoutFails' as const, revert: 'paused' }
    const dryRun = await simulate(await sign(), {}, { findPrice: async () => ({ ...noPrices, executable }) })
    expect(complaints(dryRun)).toEqual(['payout fail TransferSimulationFailed', 'price skipped payoutFails'])
    expect(payout(dryRun)?.evidence).toMatchObject({ revert: 'paused' })
  })
})

test.each([
  [
    'a required wrapper',
    async () => sign({ appData: document({ wrappers: [{ address: zeroAddress, data: '0x' }] }) }),
    'wrappers',
  ],
  [
    'a flash loan that the owner needs',
    async () => sign({ appData: document({ flashloan: loan(chain.tokens.DAI.address) }) }, poor.privateKey),
    'flashloans',
  ],
  ['a signed fee', async () => sign({ feeAmount: 1n }), 'signedFees'],
])('%s needs a solver that supports it', async (_, build, feature) => {
  const order = await build()
  const solvers = async (features: readonly SolverFeature[]) =>
    find(await simulate(order, {}, { solverFeatures: [new Set(), new Set(features)] }), 'solvers')
  expect(await solvers(solverFeatures)).toMatchObject({ status: 'pass' })
  const others = solverFeatures.filter((name) => name !== feature)
  expect(await solvers(others)).toMatchObject({
    status: 'fail',
    reason: 'UnsupportedBySolvers',
    evidence: { required: [feature] },
  })
})

test('reports a token that is proven to lose amounts', async () => {
  const token = chain.tokens.COW.address
  const findTokenFault = async () => ({ token, reason: 'losesInTransfer', sent: 100n, received: 99n }) as const
  const dryRun = await simulate(await sign(), {}, { findTokenFault })
  expect(complaints(dryRun)).toEqual(['tokens fail UnsupportedToken'])
  const evidence = { field: 'buyToken', token, reason: 'losesInTransfer', sent: '100', received: '99' }
  expect(find(dryRun, 'tokens')?.evidence).toEqual(evidence)
})

describe('a price', () => {
  const noPrices = { sellPrice: undefined, buyPrice: undefined }
  test.each<[string, Awaited<ReturnType<SimulationDeps['findPrice']>>, string]>([
    ['that is not known', { ...noPrices, executable: { unknown: 'quotesUnavailable' } }, 'skipped quotesUnavailable'],
    ['without a route', { ...noPrices, executable: { fault: 'NoLiquidity' } }, 'fail NoLiquidity'],
    ['without a native price', { ...noPrices, buyPrice: null }, 'fail MissingNativePrice'],
    [
      'of less than the fee',
      { ...noPrices, executable: { fault: 'SellAmountDoesNotCoverFee', minSellAmount: 7n } },
      'fail SellAmountDoesNotCoverFee',
    ],
  ])('%s is %s', async (_, price, expected) => {
    const dryRun = await simulate(await sign(), { market: null }, { findPrice: async () => price })
    expect(complaints(dryRun)).toEqual([`price ${expected}`])
  })

  test.each(['sell', 'buy'])(
    'of a %s order pays the fee that solvers charge in auctions, whose prices follow a market that moves',
    async (kind) => {
      const findPriceCheck = async (networkCost: bigint, auction: DryRunFacts['market'] = market) => {
        const executable = { sellAmount: 100_000n, buyAmount: 295_000n, networkFee: 10_000n, networkCost }
        const noPrices = { sellPrice: undefined, buyPrice: undefined }
        const changes = { findPrice: async () => ({ ...noPrices, executable }) }
        const { checks } = await simulate(await sign({ kind }), { market: auction }, changes)
        return checks.find((each) => each.check === 'price')
      }
      // an atom costs three wei in auctions
      expect(await findPriceCheck(30_000n)).toMatchObject({ status: 'pass', evidence: { networkFee: '10000' } })
      expect(await findPriceCheck(24_000n)).toMatchObject({
        ...{ status: 'pass' },
        evidence: { networkFee: '8000', feeAuctionId: 12 },
      })
      expect(await findPriceCheck(36_000n)).toMatchObject({
        ...{ status: 'fail', reason: 'OutOfMarket' },
        evidence: { networkFee: '12000', feeAuctionId: 12 },
      })
      expect(await findPriceCheck(36_000n, null)).toMatchObject({ status: 'pass', evidence: { networkFee: '10000' } })
    },
  )

  test('of a partially fillable order is that of the part which its owner can pay', async () => {
    const read = { address: chain.tokens.DAI.address, abi: erc20Abi, functionName: 'balanceOf' } as const
    const balance = await chain.client.readContract({ ...read, args: [owner.address] })
    const sellAmount = 4n * balance
    const terms = { sellAmount, buyAmount: (29n * sellAmount) / 10n, partiallyFillable: true }
    const dryRun = await simulate(await sign(terms))
    expect(complaints(dryRun)).toEqual([])
    const part = { sellAmount: (100n * balance).toString(), buyAmount: (295n * balance).toString() }
    expect(dryRun).toMatchObject({ fillable: true, fillableNow: part })
    expect(await simulate(await sign({ ...terms, partiallyFillable: false }))).toMatchObject({
      fillable: false,
      fillableNow: { sellAmount: '0', buyAmount: '0' },
    })
  })

  test('of a partially fillable order is that of the part for which the pools give its limit', async () => {
    // the more is sold, the less an atom buys
    const sliding =
      (networkFee: bigint): SimulationDeps['findPrice'] =>
      async ({ sellAmount }) => {
        const traded = sellAmount - networkFee
        const buyAmount = (3n * traded * 4_000n) / (4_000n + traded)
        return {
          ...noPrices,
          executable: traded > 0n ? { sellAmount, buyAmount, networkFee } : { fault: 'NoLiquidity' },
        }
      }
    const amounts = async (buyAmount: bigint, partiallyFillable: boolean, networkFee = 0n) => {
      const order = await sign({ sellAmount: 4_000n, buyAmount, partiallyFillable })
      const { fillable, fillableNow } = await simulate(order, {}, { findPrice: sliding(networkFee) })
      return [fillable, fillableNow?.sellAmount]
    }
    expect(await amounts(6_000n, true)).toEqual([true, '4000'])
    expect(await amounts(9_600n, true)).toEqual([true, '1000'])
    expect(await amounts(11_000n, true)).toEqual([true, '250'])
    expect(await amounts(11_900n, true)).toEqual([false, '0'])
    expect(await amounts(9_600n, false)).toEqual([false, '0'])
    // a quarter moves the price too far, and of a sixteenth the fee is too much
    expect(await amounts(8_880n, true, 100n)).toEqual([true, '823'])
    expect(await amounts(9_000n, true, 100n)).toEqual([false, '0'])
  })

  test('of a partially fillable order whose token moves less than it pays for fails with the revert, or is open', async () => {
    const findPrice =
      (most: bigint): SimulationDeps['findPrice'] =>
      async ({ sellAmount }) => ({
        ...noPrices,
        executable:
          sellAmount > most
            ? { unknown: 'transferFails', revert: 'too much' }
            : { sellAmount, buyAmount: 3n * sellAmount, networkFee: 0n },
      })
    const price = async (buyAmount: bigint, most: bigint) => {
      const order = await sign({ sellAmount: 4_000n, buyAmount, partiallyFillable: true })
      const { checks, fillableNow } = await simulate(order, {}, { findPrice: findPrice(most) })
      const { status, reason } = checks.find(({ check }) => check === 'price') ?? {}
      return [status, reason, fillableNow?.sellAmount]
    }
    expect(await price(11_000n, 0n)).toEqual(['fail', 'SettlementReverts', '0'])
    expect(await price(13_000n, 1_000n)).toEqual(['fail', 'OutOfMarket', '0'])
    expect(await price(11_000n, 1_000n)).toEqual(['skipped', 'transferFails', undefined])
    expect(await price(11_000n, 4_000n)).toEqual(['pass', undefined, '4000'])
  })

  test('is requested for the remainder, with the hooks of an unfilled order', async () => {
    const queries: object[] = []
    const spy: SimulationDeps['findPrice'] = async (query) => {
      queries.push(query)
      return findPrice(query)
    }
    const order = await sign({ appData: document({ hooks: { post: [hook(zeroAddress)] } }) })
    await simulate(order, {}, { findPrice: spy })
    expect(queries).toMatchObject([
      { sellAmount: 1000n, buyAmount: 2900n, owner: owner.address, appData: order.appData },
    ])
  })
})

test('skips checks of facts that the node does not return', async () => {
  const order = await sign()
  const dead = await simulate(order, {}, { simulate: simulateCalls('http://127.0.0.1:9') })
  expect(complaints(dead)).toEqual([
    'balance skipped nodeUnavailable',
    'allowance skipped nodeUnavailable',
    'transferability skipped nodeUnavailable',
    'payout skipped nodeUnavailable',
  ])
  expect(dead).toMatchObject({ fillable: true, block: null })
})

test('a contract that accepts, and an order for the native token, pass', async () => {
  const order = {
    ...(await sign({ buyToken: nativeSentinel })),
    signingScheme: 'eip1271',
    signature: '0x12',
    from: accepting,
  }
  expect(find(await simulate(order), 'signature')?.status).toBe('pass')
})

test('funds are those after the hooks: a permit sets the allowance', async () => {
  const token = await deployPermitToken(chain.chain)
  await token.mint(owner.address, 5_000n)
  const sellToken = token.address
  const appData = buildHookDocument({ pre: [await token.signPermit(owner, 1000n)] })
  expect(complaints(await simulate(await sign({ sellToken, appData })))).toEqual([])
  expect((await simulate(await sign({ sellToken, appData }))).funding).toMatchObject({ steps: [{ type: 'sign' }] })
  const missing = await simulate(await sign({ sellToken }))
  expect(complaints(missing)).toEqual([
    'allowance fail InsufficientAllowance',
    'transferability skipped insufficientFunds',
  ])
  expect(missing.funding).toMatchObject({ needed: '1000', steps: [{ type: 'permit' }, { type: 'sign' }] })
})

test('detects a token that takes a fee on transfers', async () => {
  const { creationCode } = readCompiledContract('FeeToken')
  const hash = await chain.chain.deployContract({ abi: [], bytecode: creationCode, account: owner.address })
  const { contractAddress } = await waitForReceipt(chain.chain, hash)
  const token = contractAddress?.toLowerCase() as Address
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, 1000n] })
  await sendFrom(chain.chain, owner.address, { to: token, data: approve })
  const dryRun = await simulate(await sign({ sellToken: token }))
  expect(complaints(dryRun)).toEqual(['transferability fail FeeOnTransfer'])
  expect(find(dryRun, 'transferability')?.evidence).toEqual({ token, amount: '1000', received: '990' })
})

describe('of an order that was placed', () => {
  const placed = async (changes: Partial<StoredOrder> = {}): Promise<StoredOrder> => {
    const { receiver: _, appDataHash, ...signed } = orderDraftSchema.parse(await sign({ partiallyFillable: true }))
    const unfilled = { executedSellAmount: 0n, executedBuyAmount: 0n }
    const hash = appDataHash ?? filledOrder.appDataHash
    return { ...filledOrder, ...signed, appDataHash: hash, owner: owner.address, ...unfilled, ...changes }
  }
  test('only the remainder is simulated', async () => {
    const dryRun = await simulateStored(await placed({ executedSellAmount: 600n, executedBuyAmount: 1800n }))
    expect(find(dryRun, 'transferability')?.evidence).toMatchObject({ amount: '400', received: '400' })
    const bought = await placed({ kind: 'buy', buyAmount: 3n, executedSellAmount: 300n, executedBuyAmount: 1n })
    expect(find(await simulateStored(bought), 'transferability')?.evidence).toMatchObject({ amount: '667' })
  })

  test.each<[Partial<StoredOrder>, string]>([
    [{ executedSellAmount: 1000n }, 'state fail OrderFullyExecuted'],
    [{ cancelledAt: new Date() }, 'state fail AlreadyCancelled'],
    [{ placementError: 'other' }, 'state fail PlacementError'],
  ])('reports a final state: %o', async (changes, expected) => {
    expect(complaints(await simulateStored(await placed(changes)))).toContain(expected)
  })

  test('is not fillable before its next attempt after a failed settlement', async () => {
    const block = Number(await chain.client.getBlockNumber())
    const tryAfter = async (failures: number, lastBlock: number) => {
      const settlementFailures = { failures, lastBlock, ofAccount: false, bySolver: new Map() }
      return simulateStored(await placed(), { settlementFailures })
    }
    const waiting = await tryAfter(3, block)
    expect(waiting.fillable).toBe(false)
    const evidence = { failures: 3, lastBlock: block, nextBlock: block + 4 }
    expect(find(waiting, 'settlement')).toMatchObject({ status: 'fail', reason: 'SettlementFailed', evidence })
    expect(find(await tryAfter(1, block - 1), 'settlement')?.status).toBe('pass')
    expect(find(await tryAfter(0, 0), 'settlement')?.status).toBe('pass')
  })

  test('an invalidation counts as soon as it is on the chain', async () => {
    const order = await sign({ buyAmount: 2901n })
    const { orderUid } = await simulate(order)
    await chain.invalidate(orderUid as Hex)
    expect(complaints(await simulate(order))).toEqual(['state fail AlreadyCancelled'])
  })
})
