import fc from 'fast-check'
import { type Address, BaseError, type Hex, RpcRequestError, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { type RevealDeps, revealSolution } from './revealSolution.ts'
import type { ScoredSolution } from './scoreSolution.ts'

const network = networks.sepolia
const solver: Address = `0x${'5a'.repeat(20)}`
const id = 7
const auction = { id, orders: new Map(), prices: new Map(), feePolicies: new Map() }
const signed = { ...newOrder(1, { signingScheme: 'presign', signature: '0x', feeAmount: 5n }), receiver: zeroAddress }
const domain = computeDomainSeparator(network.chainId, network.settlementContract)
const uid = packOrderUid(computeOrderDigest(domain, signed), signed.owner, signed.validTo)
const { sellToken, buyToken, sellAmount, buyAmount } = signed
const executed = { executedSell: sellAmount + 5n, executedBuy: buyAmount }
const limits = { limitSell: sellAmount, limitBuy: buyAmount }
const solution = {
  ...{ solver, solutionId: 3 },
  orders: new Map([[uid, { side: 'sell', sellToken, buyToken, ...limits, ...executed }]]),
} as unknown as ScoredSolution

const encode = (auctionId = BigInt(id), executedBuy = buyAmount) =>
  encodeSettlement({
    auctionId,
    uniformPrices: new Map([
      [sellToken, executedBuy],
      [buyToken, sellAmount],
    ]),
    trades: [{ order: signed, owner: signed.owner, scheme: 'presign', signature: '0x', ...executed, executedBuy }],
    interactions: { pre: [], intra: [], post: [] },
  })

type Call = (terms: { blockTag?: string; blockOverrides?: { number: bigint } }) => Promise<unknown>

const head = 20n
const getBlock = async () => ({ number: head, timestamp: 1_000n })

const reveal = (
  calldata: unknown,
  call: Call = async () => ({}),
  required = new Map(),
  of = solution,
  find = getBlock,
) => {
  const fetch = async () => Response.json({ calldata: { internalized: calldata, uninternalized: '0x' } })
  const deps = {
    network,
    chain: { call, getBlock: find },
    solvers: [{ name: 'one', address: solver, baseUrl: 'http://one', fetch }],
  }
  return revealSolution(deps as unknown as RevealDeps, { ...auction, required }, of)
}

test('accepts calldata that pays what the solution promises, or more', async () => {
  expect(await reveal(encode())).toEqual({ calldata: encode() })
  const more = encode(BigInt(id), buyAmount + 1n)
  expect(await reveal(more)).toEqual({ calldata: more })
})

test.each<[string, unknown, string]>([
  ['no calldata', undefined, 'its calldata is not revealed: Garbage'],
  ['other text', 'calldata', 'its calldata is not revealed: Garbage'],
  ['calldata of another call', '0x13d79a0b', 'its calldata is no settlement'],
  ['calldata of another auction', encode(8n), 'its calldata names auction 8'],
  ['calldata that pays an atom less', encode(BigInt(id), buyAmount - 1n), `its calldata pays order ${uid}`],
])('blames the solver for %s', async (_, calldata, fault) => {
  expect(await reveal(calldata)).toEqual({ fault: expect.stringContaining(fault), isOwn: true })
})

test('blames no solver for a revert, and drops only its solution when the node does not respond', async () => {
  const cause = new RpcRequestError({ body: {}, error: { code: 3, message: 'execution reverted' }, url: '' })
  const revert = () => Promise.reject(new BaseError('Execution reverted.', { cause }))
  const fault = { fault: 'its settlement fails: Execution reverted.', isOwn: false }
  expect(await reveal(encode(), revert)).toEqual(fault)
  const outage = { fault: 'its settlement fails: the node did not simulate it', isOwn: false }
  expect(await reveal(encode(), () => Promise.reject(new Error('connection reset')))).toEqual(outage)
  expect(await reveal(encode(), () => new Promise(() => undefined))).toEqual(outage)
})

test('accepts orders of several owners with the same terms, and misses none of them', async () => {
  const twin = { ...signed, owner: `0x${'7b'.repeat(20)}` as const }
  const twinUid = packOrderUid(computeOrderDigest(domain, twin), twin.owner, twin.validTo)
  const both = { ...solution, orders: new Map([...solution.orders, [twinUid, solution.orders.get(uid)]]) }
  const trade = { scheme: 'presign' as const, signature: '0x' as const, ...executed }
  const encodeFor = (...owners: Address[]) =>
    encodeSettlement({
      auctionId: BigInt(id),
      uniformPrices: new Map([
        [sellToken, buyAmount],
        [buyToken, sellAmount],
      ]),
      trades: owners.map((owner) => ({ ...trade, order: signed, owner })),
      interactions: { pre: [], intra: [], post: [] },
    })
  for (const owners of [
    [signed.owner, twin.owner],
    [twin.owner, signed.owner],
  ]) {
    const calldata = encodeFor(...owners)
    expect(await reveal(calldata, undefined, undefined, both as ScoredSolution)).toEqual({ calldata })
  }
  for (const owner of [signed.owner, twin.owner])
    expect(await reveal(encodeFor(owner, owner), undefined, undefined, both as ScoredSolution)).toMatchObject({
      fault: expect.stringContaining('0 for 0'),
    })
})

test('accepts calldata that succeeds only after pending transactions', async () => {
  const cause = new RpcRequestError({ body: {}, error: { code: 3, message: 'execution reverted' }, url: '' })
  const call: Call = ({ blockTag }) =>
    blockTag === 'pending' ? Promise.resolve({}) : Promise.reject(new BaseError('Execution reverted.', { cause }))
  expect(await reveal(encode(), call)).toEqual({ calldata: encode() })
})

test.each([
  [head + 1n, true],
  [head, false],
  [head + 2n, false],
])('calldata that succeeds in block %i alone, after head 20, is accepted: %s', async (works, isAccepted) => {
  const cause = new RpcRequestError({ body: {}, error: { code: 3, message: 'execution reverted' }, url: '' })
  const call: Call = ({ blockTag, blockOverrides }) =>
    (blockTag === 'pending' ? head + 1n : (blockOverrides?.number ?? head)) === works
      ? Promise.resolve({})
      : Promise.reject(new BaseError('Execution reverted.', { cause }))
  expect('calldata' in (await reveal(encode(), call))).toBe(isAccepted)
})

test('a node that does not tell its newest block simulates in it', async () => {
  const call: Call = ({ blockOverrides }) => (blockOverrides ? Promise.reject(new Error('asked')) : Promise.resolve({}))
  const fail = () => Promise.reject(new Error('connection reset'))
  expect(await reveal(encode(), call, new Map(), solution, fail)).toEqual({ calldata: encode() })
})

test('accepts calldata that pays ether to a proxy which the solver declares', async () => {
  const receiver: Address = `0x${'9c'.repeat(20)}`
  const order = { ...signed, receiver, buyToken: nativeSentinel }
  const ownUid = packOrderUid(computeOrderDigest(domain, order), order.owner, order.validTo)
  const calldata = encodeSettlement({
    auctionId: BigInt(id),
    uniformPrices: new Map([
      [sellToken, buyAmount],
      [nativeSentinel, sellAmount],
    ]),
    trades: [{ order, owner: order.owner, scheme: 'presign', signature: '0x', ...executed }],
    interactions: { pre: [], intra: [], post: [] },
  })
  const accessList = [{ address: receiver, storageKeys: [`0x${'00'.repeat(32)}` as const] }]
  const cause = new RpcRequestError({ body: {}, error: { code: 3, message: 'execution reverted' }, url: '' })
  const chain = {
    getBlock,
    call: (terms: { accessList?: unknown[] }) =>
      terms.accessList ? Promise.resolve({}) : Promise.reject(new BaseError('Execution reverted.', { cause })),
    request: async ({ params }: { params: { to: Address }[] }) => ({
      accessList: params[0]?.to === receiver ? accessList : [],
      gasUsed: '0x1',
    }),
  }
  const fetch = async () => Response.json({ calldata: { internalized: calldata, uninternalized: '0x' } })
  const deps = { network, chain, solvers: [{ name: 'one', address: solver, baseUrl: 'http://one', fetch }] }
  const terms = { ...solution.orders.get(uid), buyToken: nativeSentinel }
  const paying = { ...solution, orders: new Map([[ownUid, terms]]) } as unknown as ScoredSolution
  const revealed = await revealSolution(deps as unknown as RevealDeps, { ...auction, required: new Map() }, paying)
  expect(revealed).toEqual({ calldata })
})

test('rejects prices that favour one order of a pair by more than costs explain, as a fault of this solution alone', async () => {
  const rival = { ...signed, validTo: signed.validTo + 1, feeAmount: 0n }
  const rivalUid = packOrderUid(computeOrderDigest(domain, rival), rival.owner, rival.validTo)
  const trade = { owner: signed.owner, scheme: 'presign', signature: '0x' } as const
  const better = { executedSell: sellAmount, executedBuy: 2n * buyAmount }
  const calldata = encodeSettlement({
    auctionId: BigInt(id),
    uniformPrices: new Map([
      [sellToken, buyAmount],
      [buyToken, sellAmount],
    ]),
    trades: [
      { ...trade, order: signed, ...executed },
      { ...trade, order: rival, ...better },
    ],
    interactions: { pre: [], intra: [], post: [] },
  })
  const terms = { side: 'sell', sellToken, buyToken, ...limits }
  const both = {
    ...solution,
    orders: new Map([
      [uid, { ...terms, ...executed }],
      [rivalUid, { ...terms, ...better }],
    ]),
  } as unknown as ScoredSolution
  const fetch = async () => Response.json({ calldata: { internalized: calldata, uninternalized: '0x' } })
  const judge = (gasPrice: () => Promise<bigint>) => {
    const deps = {
      network,
      chain: { call: async () => ({}), getBlock, getGasPrice: gasPrice },
      solvers: [{ name: 'one', address: solver, baseUrl: 'http://one', fetch }],
    } as unknown as RevealDeps
    const listed = new Map<Hex, typeof signed>([
      [uid, signed],
      [rivalUid, rival],
    ])
    const prices = new Map([[buyToken, 10n ** 18n]])
    return revealSolution(deps, { ...auction, orders: listed as never, prices, required: new Map() }, both)
  }
  expect(await judge(async () => 0n)).toEqual({
    fault: `order ${uid} gets ${buyAmount} wei less than at the price of order ${rivalUid} of its pair, of which costs explain 0`,
    isOwn: false,
  })
  expect(await judge(async () => buyAmount)).toEqual({ calldata })
  expect(await judge(() => Promise.reject(new Error('away')))).toMatchObject({ isOwn: false })
})

test('simulates no settlement that needs a wrapper or a loan', async () => {
  const fail = () => Promise.reject(new Error('called'))
  expect(await reveal(encode(), fail, new Map([[uid, ['wrappers']]]))).toEqual({ calldata: encode() })
})

test('rejects hostile calldata without an error', async () => {
  const words = (encode().length - 10 - 16) / 64
  const word = fc.oneof(
    fc.constantFrom('0'.repeat(64), 'f'.repeat(64), `${'0'.repeat(62)}20`, `7${'f'.repeat(63)}`),
    fc.bigInt(0n, 2n ** 256n - 1n).map((value) => value.toString(16).padStart(64, '0')),
  )
  const change = fc.record({ at: fc.nat(words - 1), word })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      let calldata = encode() as string
      for (const { at, word } of changes) {
        const start = 10 + at * 64
        calldata = calldata.slice(0, start) + word + calldata.slice(start + 64)
      }
      const revealed = await reveal(calldata as Hex)
      expect('calldata' in revealed || typeof revealed.fault === 'string').toBe(true)
    }),
    { numRuns: process.env.LONG ? 5_000 : 500 },
  )
})
