import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { networks } from '#shared/networks.ts'
import type { PriceReplyBody } from '#shared/orders/verdict/priceReply.ts'
import { solverFeatures } from '#shared/solvers/solverList.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { noFees } from '#test/helpers/orders/feeRules.ts'
import { signOrder } from '#test/helpers/orders/signOrder.ts'
import { startTestDriver, type TestDriver } from '#test/helpers/solvers/testDriver.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import debugWorker from '../../debug/index.ts'
import ordersWorker from '../../orders/index.ts'
import { createBook } from './createBook.ts'

/** Random orders through the HTTP handlers, a real database and a real chain. `LONG=1`: twenty times as many. */
const count = process.env.LONG ? 400 : 20
const seed = Number(process.env.AGREEMENT_SEED ?? 20_261_122)

const network = networks.sepolia
const wei = 10n ** 18n
/** has the test tokens, and approved DAI */
const rich = devAccounts[7]
const poor = devAccounts[6]
const context = { waitUntil() {}, passThroughOnException() {}, props: {} } as never

let chain: SettlementChain
let database: TestDatabase
let driver: TestDriver
let feeToken: Address

beforeAll(async () => {
  ;[chain, database] = await Promise.all([startSettlementChain(), startTestDatabase()])
  const { DAI, COW } = chain.tokens
  driver = await startTestDriver({
    name: 'first',
    address: chain.solver,
    values: { [DAI.address]: wei, [COW.address]: wei, [network.wrappedNative]: wei },
    execute: () => undefined,
  })
  const { creationCode } = readCompiledContract('FeeToken')
  const hash = await chain.chain.deployContract({ abi: [], bytecode: creationCode, account: rich.address })
  const { contractAddress } = await waitForReceipt(chain.chain, hash)
  feeToken = contractAddress?.toLowerCase() as Address
  const approve = { abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, maxUint256] } as const
  for (const [owner, token] of [
    [rich, feeToken],
    [poor, DAI.address],
  ] as const) {
    await sendFrom(chain.chain, owner.address, { to: token, data: encodeFunctionData(approve) })
  }
})

afterAll(async () => {
  await driver?.stop()
  await database?.close()
  await chain?.stop()
})

/** Solvers give an atom for an atom, less one percent for fees. */
const QUOTES = {
  fetch: async (request: Request): Promise<Response> => {
    const { sellToken, sellAmountBeforeFee, buyAmountAfterFee } = (await request.json()) as Record<string, string>
    const missing: PriceReplyBody = { missing: 'sellToken' }
    if (sellToken !== chain.tokens.DAI.address) return Response.json(missing)
    const sold = BigInt(sellAmountBeforeFee ?? `${(BigInt(buyAmountAfterFee ?? 0) * 100n) / 99n + 1n}`)
    const reply: PriceReplyBody = {
      sellAmount: sold.toString(),
      buyAmount: buyAmountAfterFee ?? ((sold * 99n) / 100n).toString(),
      networkFee: '1',
    }
    return Response.json(reply)
  },
}

const env = () => ({
  NETWORK: 'sepolia',
  DATABASE_URL: database.databaseUrl,
  RPC_URL: chain.rpcUrl,
  VERSION: 'v1',
  SOLVERS: JSON.stringify([{ name: 'any', address: zeroAddress, url: 'http://127.0.0.1:9', supports: solverFeatures }]),
  MAX_LIMIT_ORDERS_PER_USER: '1000',
  MAX_UNSIGNED_ORDERS_PER_CLIENT: '1000',
  AUCTIONS: { fetch: async () => new Response() },
  QUOTES,
})

const instance = fc.record({
  isRich: fc.boolean(),
  token: fc.constantFrom('DAI' as const, 'USDC' as const, 'fee' as const),
  kind: fc.constantFrom('sell', 'buy'),
  partiallyFillable: fc.boolean(),
  sellAmount: fc.bigInt(100n, 10_000n),
  /** of the native prices, in 1/100 */
  limit: fc.constantFrom(50n, 98n, 99n, 100n, 160n),
  metadata: fc.constantFrom<('loan' | 'otherLoan' | 'wrapper' | 'nothing' | 'later')[]>(
    'loan',
    'otherLoan',
    'wrapper',
    'nothing',
    'nothing',
    'later',
  ),
  scheme: fc.constantFrom('eip712', 'eip712', 'presign'),
})
type Instance = typeof instance extends fc.Arbitrary<infer T> ? T : never

const toMetadata = ({ metadata, sellAmount }: Instance, owner: Address, token: Address): object => {
  const loan = { liquidityProvider: zeroAddress, protocolAdapter: zeroAddress, receiver: owner }
  switch (metadata) {
    case 'loan':
      return { flashloan: { ...loan, token, amount: sellAmount.toString() } }
    case 'otherLoan':
      return { flashloan: { ...loan, token: chain.tokens.COW.address, amount: sellAmount.toString() } }
    case 'wrapper':
      return { wrappers: [{ address: zeroAddress, data: '0x' }] }
    case 'later':
      return { validFrom: Math.floor(Date.now() / 1_000) + 300 }
    case 'nothing':
      return {}
  }
}

const sign = (one: Instance, index: number) => {
  const { address, privateKey } = one.isRich ? rich : poor
  const token = one.token === 'fee' ? feeToken : chain.tokens[one.token].address
  const info = { chainId: network.chainId, contracts: { settlement: network.settlementContract } } as StackInfo
  return signOrder(info, privateKey, {
    sellToken: token,
    buyToken: chain.tokens.COW.address,
    sellAmount: one.sellAmount,
    buyAmount: (one.sellAmount * one.limit) / 100n,
    kind: one.kind,
    partiallyFillable: one.partiallyFillable,
    validTo: Math.floor(Date.now() / 1_000) + 1_000 + index,
    appData: JSON.stringify({ metadata: toMetadata(one, address, token) }),
  } as never)
}

const request = async (worker: typeof debugWorker, path: string, body?: object) => {
  const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await worker.fetch(new Request(`http://worker${path}`, init), env(), context)
  return { status: response.status, body: (await response.json()) as never }
}

type DryRun = { fillable: boolean; checks: { check: string; status: string; reason?: string }[] }
const failuresOf = ({ checks }: DryRun) => checks.filter(({ status }) => status === 'fail').map(({ reason }) => reason)

const cut = async () => {
  const block = await chain.client.getBlock()
  const number = Number(block.number)
  const timestamp = new Date(Number(block.timestamp) * 1_000)
  const book = createBook({
    network,
    database: database.database,
    chain: chain.client,
    simulate: simulateCalls(chain.rpcUrl),
    solvers: [driver.solver],
    now: Date.now,
    log: () => undefined,
    background: () => undefined,
    bannedUsers: new Set(),
    unsupportedTokens: new Set(),
    outOfMarketBps: 5_000,
    maxGas: 8_000_000n,
    minValiditySeconds: 60,
    maxOrders: 5_000,
    feeRules: noFees,
  })
  return book.cut({ number, hash: block.hash as Hex, timestamp }, new Set(), new Map())
}

const codes: Record<string, string> = {
  insufficient_balance: 'InsufficientBalance',
  insufficient_allowance: 'InsufficientAllowance',
  invalid_signature: 'PresignaturePending',
  presignature_pending: 'PresignaturePending',
  missing_native_price: 'MissingNativePrice',
  out_of_market: 'OutOfMarket',
  not_yet_valid: 'NotYetValid',
  dust_order: 'DustOrder',
}

test(`${count} random orders have one verdict over HTTP`, { timeout: 300_000 }, async () => {
  const placed = new Map<Hex, DryRun>()
  const tally = { refused: 0, fillable: 0, excluded: 0 }
  for (const [index, one] of fc.sample(instance, { numRuns: count, seed }).entries()) {
    const signed = await sign(one, index)
    const body = one.scheme === 'presign' ? { ...signed, signingScheme: 'presign', signature: '0x' } : signed
    const dryRun = await request(debugWorker, '/api/v1/orders/simulate', body)
    expect(dryRun.status).toBe(200)
    const answer = await request(ordersWorker as never, '/api/v1/orders', body)
    if (answer.status === 201) {
      placed.set(answer.body, dryRun.body)
      continue
    }
    tally.refused += 1
    const { errorType } = answer.body as { errorType: string }
    const reasons = failuresOf(dryRun.body).map((reason) => (reason === 'FeeOnTransfer' ? 'UnsupportedToken' : reason))
    expect([answer.status, reasons]).toEqual([400, expect.arrayContaining([errorType])])
  }
  const auction = await cut()
  for (const [uid, before] of placed) {
    const after = await request(debugWorker, `/api/v1/orders/${uid}/simulate`)
    expect([uid, failuresOf(after.body)]).toEqual([uid, failuresOf(before)])
    if (before.fillable) {
      tally.fillable += 1
      expect([uid, auction?.orders.has(uid)]).toEqual([uid, true])
    }
    if (auction?.orders.has(uid)) continue
    tally.excluded += 1
    const { diagnosis } = (await request(debugWorker, `/api/v1/debug/order/${uid}`)).body as {
      diagnosis: { code: string }
    }
    expect([diagnosis.code, failuresOf(after.body)]).toEqual([
      diagnosis.code,
      expect.arrayContaining([codes[diagnosis.code]]),
    ])
  }
  expect(tally.refused).toBeGreaterThan(count / 10)
  expect(tally.fillable).toBeGreaterThan(count / 20)
  expect(tally.excluded).toBeGreaterThan(count / 20)
})
