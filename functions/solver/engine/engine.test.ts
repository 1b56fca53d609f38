import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  pad,
  parseEther,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { buildAuction, prices, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { buildSolvingDeps } from '#test/helpers/solvers/solvingDeps.ts'
import { answering, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { decodeSettlement } from '../../auctions/settlement/decodeSettlement.ts'
import { createBlockMemory } from '../pools/createBlockMemory.ts'
import { createQuoteMarket } from '../pools/createQuoteMarket.ts'
import { connectEngine } from './connectEngine.ts'
import type { EngineAuctionBody } from './engineApi.ts'
import { findEngineQuote } from './findEngineQuote.ts'
import { type EncodedEngineSolution, findEngineSolutions } from './findEngineSolutions.ts'

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
})

afterAll(() => market?.stop())

type Notice = Record<string, unknown>

/**
 * An engine that responds with `respond`, its requests, and its notifications.
 * @param respond a body, or a listener that responds itself
 */
const startEngine = async (respond: (body: EngineAuctionBody) => unknown) => {
  const notices: Notice[] = []
  const bodies: EngineAuctionBody[] = []
  const { solver, stop } = await startSolver('engine', async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    if (request.url === '/notify') {
      notices.push(body)
      return answering('')(request, response)
    }
    bodies.push(body)
    const answer = respond(body)
    return typeof answer === 'function' ? answer(request, response) : answering(answer)(request, response)
  })
  return { engine: connectEngine('engine', market.solver.address, solver.baseUrl), notices, bodies, stop }
}

/** The solutions found with an engine that responds with `respond`, its request, and its notifications. */
const solveWith = async (respond: (body: EngineAuctionBody) => unknown, orders: AuctionOrder[], id = '7') => {
  const { engine, notices, bodies, stop } = await startEngine(respond)
  const solutions: EncodedEngineSolution[] = []
  const pending: Promise<unknown>[] = []
  try {
    const auction = { ...buildAuction(market, id, orders), deadline: new Date(Date.now() + 60_000).toISOString() }
    const deps = { ...buildSolvingDeps(market), engine, now: Date.now, log: () => undefined }
    const report = (solution: EncodedEngineSolution) => void solutions.push(solution)
    await findEngineSolutions(market.connect(), deps, auction, report, (work) => pending.push(work))
    await Promise.all(pending)
  } finally {
    await stop()
  }
  return { solutions, notices, body: bodies[0] as EngineAuctionBody }
}

const sendGzip = (response: ServerResponse, body: string | Buffer): void => {
  response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body))
}

/** A solution that fills one order in one pool, for what the pool gives. */
const fillInPool = (
  { orders: [order], liquidity }: EngineAuctionBody,
  { id = 1, fee = 0n, bought }: { id?: number; fee?: bigint; bought?: bigint } = {},
) => {
  if (!order) throw new Error('no order')
  const { sellToken, buyToken } = order
  const pool = liquidity.find(
    (each) => each.kind === 'constantProduct' && sellToken in each.tokens && buyToken in each.tokens,
  )
  if (pool?.kind !== 'constantProduct') throw new Error('no pool')
  const [reserveIn, reserveOut] = [sellToken, buyToken].map((token) => BigInt(pool.tokens[token]?.balance ?? 0))
  if (!reserveIn || !reserveOut) throw new Error('no reserves')
  const sold = BigInt(order.sellAmount) - fee
  const out = (sold * 997n * reserveOut) / (reserveIn * 1000n + sold * 997n)
  return {
    id,
    prices: { [sellToken]: String(bought ?? out), [buyToken]: String(sold) },
    trades: [{ kind: 'fulfillment', order: order.uid, executedAmount: String(sold), fee: String(fee) }],
    interactions: [
      {
        kind: 'liquidity',
        internalize: false,
        id: pool.id,
        inputToken: sellToken,
        outputToken: buyToken,
        inputAmount: String(sold),
        outputAmount: String(out),
      },
    ],
    gas: 200_000,
  }
}

const settle = async (solution: EncodedEngineSolution | undefined) => {
  if (!solution) throw new Error('nothing to settle')
  const { calldata: data, accessList } = solution
  const to = market.network.settlementContract
  const hash = await market.chain.sendTransaction({ account: market.solver, to, data, accessList, gas: 3_000_000n })
  expect((await waitForReceipt(market.chain, hash)).status).toBe('success')
}

test('an engine receives tokens, orders and pools in the public format', async () => {
  const order = await market.signOrder({
    partiallyFillable: true,
    buyToken: nativeSentinel,
    sellToken: market.tokens.USDC,
    sellAmount: 3_000_000_000n,
  })
  const { body } = await solveWith(() => ({ solutions: [] }), [{ ...order, executed: 1_000_000_000n }])
  const { WETH, USDC } = market.tokens
  expect(body).toMatchObject({
    id: '7',
    tokens: {
      [USDC]: { decimals: 6, symbol: null, referencePrice: String(prices.USDC), availableBalance: '0', trusted: true },
      [WETH]: { decimals: 18, referencePrice: String(prices.WETH) },
    },
    orders: [
      { uid: order.uid, buyToken: WETH, sellAmount: '2000000000', fullSellAmount: '3000000000', fullBuyAmount: '1' },
    ],
    surplusCapturingJitOrderOwners: [],
  })
  expect(Object.keys(body.orders[0] ?? {})).not.toContain('receiver')
  const constant = body.liquidity.find(({ kind }) => kind === 'constantProduct')
  expect(constant).toMatchObject({ fee: '0.003', router: constant?.address, gasEstimate: '72000' })
  expect(body.liquidity.map(({ id }) => id)).toEqual(body.liquidity.map((_, i) => String(i)))
  expect(BigInt(body.effectiveGasPrice)).toBeGreaterThan(0n)
})

test('a solution in a pool is settled with its network fee, and the rest of the price goes to the owner', async () => {
  const order = await market.signOrder()
  const fee = parseEther('0.01')
  const { solutions, notices } = await solveWith((body) => ({ solutions: [fillInPool(body, { fee })] }), [order])
  expect(notices).toEqual([])
  const before = await market.balanceOf(market.tokens.USDC, market.trader)
  await settle(solutions[0])
  const [trade] = decodeSettlement(solutions[0]?.calldata ?? '0x')?.trades ?? []
  expect(trade).toMatchObject({ executedSell: order.sellAmount, feeInSellToken: fee })
  expect((await market.balanceOf(market.tokens.USDC, market.trader)) - before).toBe(trade?.executedBuy)
  expect(await market.balanceOf(market.tokens.WETH, market.network.settlementContract)).toBeGreaterThanOrEqual(fee)
})

test('protocol fees are charged on top, and leave the limit intact that the engine received', async () => {
  const order = await market.signOrder({ protocolFees: [{ kind: 'volume', factor: 0.01 }], buyAmount: 1_000_000_000n })
  const { solutions, body } = await solveWith(
    (auction) => ({ solutions: [fillInPool(auction, { bought: BigInt(auction.orders[0]?.buyAmount ?? 0) })] }),
    [order],
  )
  expect(body.orders[0]?.buyAmount).toBe('1010101010')
  const [trade] = decodeSettlement(solutions[0]?.calldata ?? '0x')?.trades ?? []
  expect(trade?.executedBuy).toBe(order.buyAmount)
})

test('an invalid solution is left out with its notification, and the others are proposed', async () => {
  const order = await market.signOrder({ buyAmount: 1_000n })
  const { solutions, notices } = await solveWith(
    (body) => {
      const valid = fillInPool(body, { id: 1 })
      const [trade] = valid.trades
      return {
        solutions: [
          valid,
          { ...valid, id: 1 },
          { ...valid, id: 2, trades: [] },
          { ...valid, id: 3, prices: { [order.sellToken]: '1' } },
          { ...valid, id: 4, prices: { [order.sellToken]: '1', [order.buyToken]: '0' } },
          { ...valid, id: 5, trades: [{ ...trade, executedAmount: '7' }] },
          { ...valid, id: 6, trades: [{ ...trade, order: `0x${'99'.repeat(56)}` }] },
          { ...valid, id: 7, trades: [trade, trade] },
          { ...valid, id: 8, interactions: [{ ...valid.interactions[0], id: '999' }] },
          { ...valid, id: 9, interactions: [] },
          { ...valid, id: 10, prices: 'none' },
          { ...valid, id: 11, flashloans: { [order.uid]: {} } },
          { ...valid, id: 12, prices: { [order.sellToken]: '1', [order.buyToken]: `${2n ** 255n}` } },
          'no solution',
        ],
      }
    },
    [order],
  )
  expect(solutions.map(({ engineId }) => engineId)).toEqual([1])
  const reasons = notices.map(({ solutionId, kind, reason, tokenAddress }) => [
    solutionId,
    kind,
    reason ?? tokenAddress,
  ])
  expect(reasons.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [null, 'deserializationError', expect.any(String)],
    [1, 'duplicatedSolutionId', undefined],
    [2, 'emptySolution', undefined],
    [3, 'missingPrice', order.buyToken],
    [4, 'invalidClearingPrices', undefined],
    [5, 'invalidExecutedAmount', undefined],
    [6, 'driverError', `order 0x${'99'.repeat(56)} is not in the auction`],
    [7, 'driverError', 'an order is traded twice'],
    [8, 'driverError', expect.stringContaining('no liquidity 999')],
    [9, 'simulationFailed', undefined],
    [10, 'deserializationError', expect.stringContaining('prices')],
    [11, 'driverError', 'settlements with flash loans are not supported'],
    [12, 'driverError', expect.stringMatching(/below its limit/)],
  ])
  const failed = notices.find(({ kind }) => kind === 'simulationFailed')
  expect(failed).toMatchObject({
    auctionId: '7',
    tx: { to: market.network.settlementContract, value: '0' },
    succeededOnce: false,
  })
})

/** A solution that fills an order with custom calls. */
const fillWithCalls = (order: AuctionOrder, bought: bigint, calls: { target: Address; callData: Hex }[]) => ({
  id: 1,
  prices: { [order.sellToken]: String(bought), [order.buyToken]: String(order.sellAmount) },
  trades: [{ kind: 'fulfillment', order: order.uid, executedAmount: String(order.sellAmount) }],
  interactions: calls.map((call) => ({
    ...{ kind: 'custom', internalize: false, ...call, value: '0', inputs: [], outputs: [] },
    allowances: [{ token: order.sellToken, spender: market.solver.address, amount: String(maxUint256) }],
  })),
})

const encodeErc20 = (functionName: 'transfer' | 'transferFrom' | 'approve', ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName, args } as never)

const send = async (account: Address | typeof market.solver, to: Address, data: Hex): Promise<void> => {
  await waitForReceipt(market.chain, await market.chain.sendTransaction({ account, to, data, gas: 200_000n }))
}

test('a custom interaction has the allowance that it declares, and none afterwards', async () => {
  const { WETH, USDC } = market.tokens
  const order = await market.signOrder()
  const [solver, contract] = [market.solver.address, market.network.settlementContract]
  const bought = 3_000_000_000n
  await send(market.trader, USDC, encodeErc20('transfer', solver, bought))
  await send(market.solver, USDC, encodeErc20('approve', contract, bought))
  const { solutions, notices } = await solveWith(
    () => ({
      solutions: [
        fillWithCalls(order, bought, [
          { target: USDC, callData: encodeErc20('transferFrom', solver, contract, bought) },
          { target: WETH, callData: encodeErc20('transfer', solver, order.sellAmount) },
        ]),
      ],
    }),
    [order],
  )
  expect(notices).toEqual([])
  await settle(solutions[0])
  const args = [contract, solver] as const
  const allowance = { address: WETH, abi: erc20Abi, functionName: 'allowance', args } as const
  expect(await market.chain.readContract(allowance)).toBe(0n)
})

test.each(['interactions', 'preInteractions', 'postInteractions'])(
  'a solution whose %s approve an account is left out: it could take the tokens later',
  async (phase) => {
    const order = await market.signOrder()
    const filled = fillWithCalls(order, 3_000_000_000n, [])
    const callData = encodeErc20('approve', market.solver.address, maxUint256)
    const approval = { kind: 'custom', target: market.tokens.WETH, value: '0', callData }
    const { solutions, notices } = await solveWith(() => ({ solutions: [{ ...filled, [phase]: [approval] }] }), [order])
    expect(solutions).toEqual([])
    expect(notices).toMatchObject([
      { kind: 'deserializationError', reason: expect.stringContaining('an approval is declared in allowances') },
    ])
  },
)

test('a solution that spends tokens of the settlement contract is left out', async () => {
  const { WETH, USDC, DAI } = market.tokens
  const [solver, contract] = [market.solver.address, market.network.settlementContract]
  for (const token of [USDC, DAI]) await send(market.trader, token, encodeErc20('transfer', contract, 5_000_000_000n))
  const order = await market.signOrder()
  const takeSold = { target: WETH, callData: encodeErc20('transfer', solver, order.sellAmount) }
  const steal = { target: DAI, callData: encodeErc20('transfer', solver, 1n) }
  const { solutions, notices } = await solveWith(
    (body) => {
      const inPool = fillInPool(body, { id: 3 })
      const { interactions } = fillWithCalls(order, 1n, [steal])
      return {
        solutions: [
          fillWithCalls(order, 3_000_000_000n, [takeSold]),
          { ...inPool, id: 2, interactions: [...inPool.interactions, ...interactions] },
          inPool,
        ],
      }
    },
    [order],
  )
  expect(solutions.map(({ engineId }) => engineId)).toEqual([3])
  expect(notices.toSorted((a, b) => Number(a.solutionId) - Number(b.solutionId))).toEqual([
    { auctionId: '7', solutionId: 1, kind: 'nonBufferableTokensUsed', tokens: [USDC] },
    { auctionId: '7', solutionId: 2, kind: 'nonBufferableTokensUsed', tokens: [DAI] },
  ])
})

test.each<[string, Hex]>([
  ['of any amount, as MKR has it', toFunctionSelector('approve(address)')],
  ['of ERC-1363', toFunctionSelector('approveAndCall(address,uint256,bytes)')],
  ['of ERC-777', toFunctionSelector('authorizeOperator(address)')],
  ['by a presignature of the settlement contract', toFunctionSelector('setPreSignature(bytes,bool)')],
  ["in Balancer's Vault", toFunctionSelector('setRelayerApproval(address,address,bool)')],
])('a solution with an approval %s is left out', async (_, callData) => {
  const order = await market.signOrder()
  const approval = { target: market.tokens.WETH, value: '0', callData }
  const { solutions, notices } = await solveWith(
    (body) => ({ solutions: [{ ...fillInPool(body), postInteractions: [approval] }] }),
    [order],
  )
  expect(solutions).toEqual([])
  expect(notices).toMatchObject([{ kind: 'deserializationError' }])
})

const hostile: Address = `0x${'4057'.repeat(10)}`

/** Calls the account in the first word of its calldata with the rest. */
const callerCode = '6020360360205f375f5f602036035f5f5f355af100'

test.each<[string, Hex, boolean]>([
  ['only where gas costs something', `0x3a1515600757005b${callerCode}`, true],
  ['by an allowance of someone else', `0x${callerCode}`, false],
])('a solution that spends tokens of the settlement contract %s is left out', async (_, bytecode, isDeclared) => {
  const { DAI } = market.tokens
  const contract = market.network.settlementContract
  await market.chain.setCode({ address: hostile, bytecode })
  await send(market.trader, DAI, encodeErc20('transfer', contract, 10n))
  if (!isDeclared) {
    await market.chain.impersonateAccount({ address: contract })
    await market.chain.setBalance({ address: contract, value: parseEther('1') })
    await sendFrom(market.chain, contract, { to: DAI, data: encodeErc20('approve', hostile, maxUint256) })
    await market.chain.setBalance({ address: contract, value: 0n })
  }
  const order = await market.signOrder()
  const callData = concat([pad(DAI), encodeErc20('transferFrom', contract, market.solver.address, 1n)])
  const allowances = isDeclared ? [{ token: DAI, spender: hostile, amount: '1' }] : []
  const { solutions, notices } = await solveWith(
    (body) => {
      const inPool = fillInPool(body)
      const { interactions } = fillWithCalls(order, 1n, [{ target: hostile, callData }])
      const taking = interactions.map((call) => ({ ...call, allowances }))
      return { solutions: [{ ...inPool, interactions: [...inPool.interactions, ...taking] }] }
    },
    [order],
  )
  expect(solutions).toEqual([])
  expect(notices).toMatchObject([{ kind: 'nonBufferableTokensUsed', tokens: [DAI] }])
})

test('a solution that pays ether from the wrapped ether of the settlement contract is left out', async () => {
  const { WETH, USDC } = market.tokens
  const sellAmount = 3_000_000n
  await send(market.trader, WETH, encodeErc20('transfer', market.network.settlementContract, 10n ** 15n))
  const order = await market.signOrder({ sellToken: USDC, buyToken: nativeSentinel, sellAmount })
  const take = { target: USDC, callData: encodeErc20('transfer', market.solver.address, sellAmount) }
  const { solutions, notices } = await solveWith(
    () => ({
      solutions: [
        {
          ...fillWithCalls(order, 10n ** 15n, [take]),
          prices: { [USDC]: String(10n ** 15n), [WETH]: String(sellAmount) },
        },
      ],
    }),
    [order],
  )
  expect(solutions).toEqual([])
  expect(notices).toMatchObject([{ kind: 'nonBufferableTokensUsed', tokens: [WETH] }])
})

test('an order of the auction is no just-in-time order: it would lose its hooks and fees', async () => {
  const order = await market.signOrder()
  const { sellAmount, buyAmount } = order
  const jit = {
    ...{ sellToken: order.sellToken, buyToken: order.buyToken, receiver: order.receiver ?? zeroAddress },
    ...{ sellAmount: String(sellAmount), buyAmount: String(buyAmount), validTo: order.validTo, appData: order.appData },
    ...{ kind: order.kind, partiallyFillable: false, signingScheme: 'eip712', signature: order.signature },
  }
  const { solutions, notices } = await solveWith(
    (body) => {
      const { trades: _, ...inPool } = fillInPool(body)
      return { solutions: [{ ...inPool, trades: [{ kind: 'jit', order: jit, executedAmount: String(sellAmount) }] }] }
    },
    [order],
  )
  expect(solutions).toEqual([])
  expect(notices).toMatchObject([{ kind: 'driverError', reason: `order ${order.uid} is in the auction` }])
})

test('unknown fields and extreme values concern their own solution only', async () => {
  const order = await market.signOrder({ buyAmount: 1_000n })
  const largest = '18446744073709551615'
  const { solutions, notices } = await solveWith(
    (body) => {
      const valid = fillInPool(body, { id: 1 })
      const [trade] = valid.trades
      const [swap] = valid.interactions
      const call = { kind: 'custom', target: order.sellToken, value: String(2n ** 256n), callData: '0x' }
      const rejected = [
        { prices: { ...valid.prices, [order.buyToken]: '-1' } },
        { prices: { ...valid.prices, [order.buyToken]: 1e77 } },
        { prices: { [order.sellToken]: String(maxUint256), [order.buyToken]: '1' } },
        { trades: [{ ...trade, fee: String(maxUint256) }] },
        { trades: [{ ...trade, executedAmount: String(2n ** 256n) }] },
        { interactions: [{ ...swap, inputAmount: String(maxUint256) }] },
        { interactions: [call] },
        { interactions: [{ ...call, value: String(maxUint256) }] },
        { gas: 1e30 },
      ]
      const listed = [
        { ...valid, later: { field: [] }, gas: null },
        ...rejected.map((changes, i) => ({ ...valid, id: i + 2, ...changes })),
      ]
      const text = JSON.stringify({ solutions: listed, later: null })
      // JavaScript would round the numbers
      const raw = text.replace('{"id":1,', `{"id":${largest},`).replace('{"id":10,', '{"id":18446744073709551616,')
      return (_: IncomingMessage, response: ServerResponse) => sendGzip(response, raw)
    },
    [order],
  )
  expect(solutions.map(({ engineId }) => engineId)).toEqual([BigInt(largest)])
  expect(notices.map(({ solutionId }) => solutionId).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    ...[null, 2, 3, 4, 5, 6, 7, 8, 9],
  ])
  expect(new Set(notices.map(({ kind }) => kind))).toEqual(
    new Set(['deserializationError', 'driverError', 'invalidExecutedAmount', 'simulationFailed']),
  )
})

test.each<[string, RequestListener, string]>([
  ['a web page', answering('<html></html>'), 'status 200, body is not JSON'],
  ['an error status', answering({ error: 'no' }, 500), 'status 500'],
  ['no JSON after an error status', answering('<html></html>', 502), 'status 502, body is not JSON'],
  ['a redirect', answering('', 307), 'status 307, redirects are not followed'],
  ['no body', answering(''), 'body: '],
  ['too much', answering(' '.repeat(3 * 2 ** 20)), 'response longer than 2097152 bytes'],
  ['a compressed body that is too long', (_, response) => sendGzip(response, Buffer.alloc(2 ** 26)), 'response longer'],
  ['too many solutions', answering({ solutions: Array(1_001).fill({}) }), 'solutions: '],
  ['neither solutions nor an error', answering({}), 'solutions: '],
  ['half of a body', (_, response) => void response.writeHead(200).write('{', () => response.destroy()), ''],
])('an engine that responds with %s reads why', async (_, listener, reason) => {
  const { solutions, notices } = await solveWith(() => listener, [await market.signOrder()])
  expect(solutions).toEqual([])
  expect(notices).toMatchObject([
    { auctionId: '7', solutionId: null, kind: 'deserializationError', reason: expect.stringContaining(reason) },
  ])
})

test.each<[string, unknown, object]>([
  ['a response', '<html></html>', { solutionId: null, kind: 'deserializationError' }],
  ['a solution', { solutions: [{ id: 3 }] }, { solutionId: 3, kind: 'deserializationError' }],
])('an engine reads why %s to a quote is unusable', async (_, response, notice) => {
  const { engine, notices, stop } = await startEngine(() => response)
  const pending: Promise<unknown>[] = []
  const { WETH, USDC } = market.tokens
  const query = {
    sellToken: WETH,
    buyToken: USDC,
    kind: 'sell' as const,
    amount: 1_000n,
    deadline: '2100-01-01T00:00:00Z',
  }
  const deps = {
    ...buildSolvingDeps(market),
    engine,
    now: Date.now,
    background: (work: Promise<unknown>) => void pending.push(work),
  }
  const findMarket = createQuoteMarket(createBlockMemory())
  await expect(findEngineQuote(market.connect(), findMarket, deps, query, 60_000)).rejects.toThrow()
  await Promise.all(pending)
  await stop()
  expect(notices).toMatchObject([{ auctionId: null, ...notice }])
})

test('an engine that responds with an error proposes nothing', async () => {
  const order = await market.signOrder()
  await expect(
    solveWith(() => ({ error: { code: 'tokenTemporarilySuspended', message: 'halted' } }), [order]),
  ).rejects.toMatchObject({ kind: 'TokenTemporarilySuspended', message: 'halted' })
})
