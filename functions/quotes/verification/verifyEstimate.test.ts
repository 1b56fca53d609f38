import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  RpcRequestError,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxOf } from '#shared/amounts/minMax.ts'
import type { Hook, Hooks } from '#shared/appData/parseAppData.ts'
import { type Simulate, simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { nativeSentinel } from '#shared/networks.ts'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import { deployOddToken, deployTestContract, type OddToken } from '#test/helpers/chain/oddContracts.ts'
import { deploySafe } from '#test/helpers/chain/safe.ts'
import { type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { buildSwapQuote } from '#test/helpers/solvers/swapQuote.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { uniswapV2Abi } from '../../solver/pools/uniswapV2Abi.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { quoteRequestSchema } from '../request/quoteRequest.ts'
import { createVerifier } from './createVerifier.ts'

/** An account without tokens, approvals or ether. */
const pauper: Address = '0x00000000000000000000000000000000000bee5e'
const sellAmount = parseEther('1')

let market: SolverMarket
let offer: SolverQuote
beforeAll(async () => {
  market = await startSolverMarket()
  const { WETH, USDC } = market.tokens
  offer = await buildSwapQuote(market, { sellToken: WETH, buyToken: USDC, sellAmount })
})
afterAll(() => market?.stop())

const prepare = (fields: object = {}, hooks: Hooks = { pre: [], post: [] }): PreparedRequest => {
  const { WETH, USDC } = market.tokens
  const request = quoteRequestSchema.parse({
    sellToken: WETH,
    buyToken: USDC,
    from: pauper,
    ...('kind' in fields ? {} : { kind: 'sell', sellAmountBeforeFee: sellAmount.toString() }),
    ...fields,
  })
  return {
    request,
    receivedAt: 0,
    validTo: request.validTo ?? 0xffffffff,
    appData: { appData: zeroHash, appDataHash: zeroHash, fullAppData: '{}', hookGas: 0n, partnerFees: [], hooks },
  }
}

type Changes = {
  connect?: SolverMarket['connect']
  simulate?: Simulate
  balanceLayouts?: BalanceLayouts
  signal?: AbortSignal
  hooks?: Hooks
}

const verify = (quote: SolverQuote, fields: object = {}, changes: Changes = {}) => {
  const { signal = new AbortController().signal, hooks, ...others } = changes
  const deps = {
    network: market.network,
    simulate: simulateCalls(market.rpcUrl),
    connect: market.connect,
    balanceLayouts: new Map(),
    ...others,
  }
  return createVerifier(deps, prepare(fields, hooks), signal)(quote)
}

/** A node that responds to every call with one text. */
const withNode = async <T>(body: string, work: (rpcUrl: string) => Promise<T>): Promise<T> => {
  const server = createServer((_, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** A node that does not offer `eth_createAccessList`. */
const connectWithoutAccessLists = () => {
  const client = market.connect()
  const refusal = new RpcRequestError({ url: '', body: {}, error: { code: -32_601, message: 'unknown' } })
  const request = (({ method, ...rest }) =>
    method === 'eth_createAccessList'
      ? Promise.reject(refusal)
      : client.request({ method, ...rest } as never)) as typeof client.request
  return { ...client, request }
}

describe('a quote is settled in a simulation', () => {
  test('for an owner without tokens or approval, and its gas is measured', async () => {
    const verification = await verify(offer)
    expect(verification).toEqual({ status: 'passed', block: expect.any(Number), gasUsed: expect.any(BigInt) })
    const { gasUsed } = verification as { gasUsed: bigint }
    expect(gasUsed).toBeGreaterThan(120_000n)
    expect(gasUsed).toBeLessThan(260_000n)
  })

  test.each([
    ['no wallet is connected', () => ({ from: zeroAddress })],
    ['the owner has tokens and has approved', () => ({ from: market.trader })],
    ['another account receives', () => ({ receiver: '0x00000000000000000000000000000000000face0' })],
    ['the settlement contract receives', () => ({ receiver: market.network.settlementContract })],
    ['the order is exact in what it buys', () => ({ kind: 'buy', buyAmountAfterFee: offer.buyAmount.toString() })],
  ])('when %s', async (_, fields) => {
    expect(await verify(offer, fields())).toMatchObject({ status: 'passed' })
  })

  test('with the same gas whatever bytes the expiry has', async () => {
    const gas = new Set()
    for (const validTo of [0x70000000, 0x70010100, 0x71717171]) {
      const verification = await verify(offer, { validTo })
      expect(verification.status).toBe('passed')
      gas.add((verification as { gasUsed: bigint }).gasUsed)
    }
    expect(gas.size).toBe(1)
  })

  test('of another token and into the native one, which is unwrapped', async () => {
    const { WETH, DAI } = market.tokens
    const quote = await buildSwapQuote(market, { sellToken: DAI, buyToken: WETH, sellAmount: parseEther('100') })
    const fields = { sellToken: DAI, buyToken: nativeSentinel }
    expect(await verify(quote, fields)).toMatchObject({ status: 'passed' })
    expect(await verify({ ...quote, buyAmount: quote.buyAmount + 1n }, fields)).toMatchObject({ status: 'failed' })
  })

  test('nothing of it is on the chain afterwards', async () => {
    expect(await market.balanceOf(market.tokens.USDC, pauper)).toBe(0n)
  })
})

describe('hooks of the document run', () => {
  const take = (token: Address, from: Address, amount: bigint): Hook => {
    const args = [from, market.trader, amount] as const
    return { target: token, callData: encodeFunctionData({ ...transferFrom, args }), gasLimit: 100_000n }
  }
  const transferFrom = { abi: erc20Abi, functionName: 'transferFrom' } as const
  const passed = async (hooks: Partial<Hooks>, fields: object = {}) => {
    const verification = await verify(offer, fields, { hooks: { pre: [], post: [], ...hooks } })
    if (verification.status !== 'passed') throw new Error(JSON.stringify(verification.status))
    return verification.gasUsed
  }

  test('and the gas they use counts, that of a reverting one too', async () => {
    const plain = await passed({})
    const burning: Address = '0x00000000000000000000000000000000000b0b0b'
    await market.chain.setCode({ address: burning, bytecode: '0x5b600056' })
    const hook: Hook = { target: burning, callData: '0x', gasLimit: 70_000n }
    const extra = (gas: bigint) => Number(gas - plain)
    // 8,000 for the call of the trampoline, 5,000 for each hook beside what it uses
    expect(extra(await passed({ pre: [hook] }))).toBe(83_000)
    expect(extra(await passed({ pre: [hook, hook], post: [hook] }))).toBe(241_000)
  })

  test('and pay no gas of a transaction of their own', async () => {
    const hook: Hook = { target: pauper, callData: '0x', gasLimit: 70_000n }
    const inner = simulateCalls(market.rpcUrl)
    let gasOf: bigint[] = []
    const simulate: Simulate = async (...args) => {
      const simulated = await inner(...args)
      gasOf = simulated.results.map(({ gasUsed }) => gasUsed)
      return simulated
    }
    const verification = await verify(offer, {}, { simulate, hooks: { pre: [hook], post: [] } })
    const ofSettlement = gasOf.reduce((most, gas) => maxOf(most, gas))
    expect(verification).toMatchObject({ status: 'passed', gasUsed: ofSettlement + 13_000n })
  })

  test('funds that a pre-hook brings are enough where balances cannot be written', async () => {
    const balanceLayouts: BalanceLayouts = new Map([[market.tokens.WETH, null]])
    const approve = {
      abi: erc20Abi,
      functionName: 'approve',
      args: [market.network.hooksTrampoline, sellAmount],
    } as const
    await sendFrom(market.chain, market.trader, { to: market.tokens.WETH, data: encodeFunctionData(approve) })
    const args = [market.trader, pauper, sellAmount] as const
    const bring: Hook = {
      target: market.tokens.WETH,
      callData: encodeFunctionData({ ...transferFrom, args }),
      gasLimit: 100_000n,
    }
    expect(await verify(offer, {}, { balanceLayouts, hooks: { pre: [bring], post: [] } })).toMatchObject({
      status: 'passed',
    })
    const connect = connectWithoutAccessLists
    expect(await verify(offer, {}, { balanceLayouts, connect, hooks: { pre: [], post: [bring] } })).toEqual({
      status: 'skipped',
      reason: 'balanceNotSimulated',
    })
  })

  test('a post-hook may send on what the receiver got', async () => {
    const { USDC } = market.tokens
    const approve = {
      abi: erc20Abi,
      functionName: 'approve',
      args: [market.network.hooksTrampoline, maxUint256],
    } as const
    await sendFrom(market.chain, market.trader, { to: USDC, data: encodeFunctionData(approve) })
    const fields = { from: market.trader }
    await passed({ post: [take(USDC, market.trader, offer.buyAmount)] }, fields)
  })

  test('and what becomes of each is said, without a further call of the node', async () => {
    const codes = { ran: '0x6001600055', reverts: '0x60006000fd', burns: '0x5b600056' } as const
    const [ran, reverts, burns] = await Promise.all(
      Object.values(codes).map(async (bytecode, place): Promise<Hook> => {
        const target: Address = `0x00000000000000000000000000000000000b0${place}0b`
        await market.chain.setCode({ address: target, bytecode })
        return { target, callData: `0x12345678${'ab'.repeat(64)}`, gasLimit: 30_000n }
      }),
    )
    if (!ran || !reverts || !burns) throw new Error('no hooks')
    const nothing = { ...ran, target: pauper }
    let calls = 0
    const simulate: Simulate = (...args) => {
      calls += 1
      return simulateCalls(market.rpcUrl)(...args)
    }
    const hooks = { pre: [ran, reverts], post: [nothing, burns, ran] }
    const balanceLayouts: BalanceLayouts = new Map()
    const fields = { from: market.trader }
    await verify(offer, fields, { balanceLayouts })
    const verification = await verify(offer, fields, { simulate, hooks, balanceLayouts })
    expect(verification).toMatchObject({
      status: 'passed',
      hooks: [
        { phase: 'pre', hook: 0, target: ran.target, outcome: 'succeeded' },
        { phase: 'pre', hook: 1, target: reverts.target, outcome: 'reverted' },
        { phase: 'post', hook: 0, target: pauper, outcome: 'noCode' },
        { phase: 'post', hook: 1, target: burns.target, outcome: 'outOfGas' },
        { phase: 'post', hook: 2, target: ran.target, outcome: 'succeeded' },
      ],
    })
    expect(calls).toBe(1)
  })

  test('but never with the rights of the settlement contract', async () => {
    const { USDC } = market.tokens
    const args = [market.trader, 1n] as const
    const steal = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await passed({ pre: [{ target: USDC, callData: steal, gasLimit: 100_000n }] })
  })
})

describe('a quote that does not hold', () => {
  test('by one atom', async () => {
    expect(await verify({ ...offer, buyAmount: offer.buyAmount + 1n })).toMatchObject({
      status: 'failed',
      reason: 'settlementReverts',
      detail: expect.stringContaining('transfer'),
    })
  })

  test('but that the contract could pay from what it holds', async () => {
    const { USDC } = market.tokens
    const transfer = {
      abi: erc20Abi,
      functionName: 'transfer',
      args: [market.network.settlementContract, 10n],
    } as const
    await sendFrom(market.chain, market.trader, { to: USDC, data: encodeFunctionData(transfer) })
    expect(await verify({ ...offer, buyAmount: offer.buyAmount + 7n })).toEqual({
      status: 'failed',
      reason: 'usesContractFunds',
      block: expect.any(Number),
      shortfall: { token: USDC, amount: 7n },
    })
  })

  test('by a solver that may not settle', async () => {
    expect(await verify({ ...offer, solver: { name: 'stranger', address: pauper } })).toMatchObject({
      status: 'failed',
      detail: 'GPv2: not a solver',
    })
  })

  test('because the bought token withholds a part of the amount', async () => {
    const buyToken: Address = '0x00000000000000000000000000000000000c0de1'
    // returns 1 for every call: each transfer succeeds, and no balance changes
    await market.chain.setCode({ address: buyToken, bytecode: '0x60015f5260205ff3' })
    expect(await verify({ ...offer, buyAmount: 500n, interactions: [] }, { buyToken })).toMatchObject({
      status: 'failed',
      reason: 'receivesTooLittle',
      shortfall: { token: buyToken, amount: 500n },
    })
  })

  test('because its calls trade nothing', async () => {
    expect(await verify({ ...offer, interactions: [] })).toMatchObject({ status: 'failed' })
  })
})

describe('a payout in the native token reaches a contract', () => {
  const sell = async (receiver: Address, changes: Changes = {}) => {
    const { WETH, USDC } = market.tokens
    const quote = await buildSwapQuote(market, { sellToken: USDC, buyToken: WETH, sellAmount: 1_000_000n })
    return verify(quote, { sellToken: USDC, buyToken: nativeSentinel, from: receiver }, changes)
  }
  const passed = { status: 'passed' }

  test('that is a Safe, also by a node without access lists', async () => {
    const { address } = await deploySafe(market.chain, devAccounts[3])
    expect(await sell(address)).toMatchObject(passed)
    expect(await sell(address, { connect: connectWithoutAccessLists })).toMatchObject(passed)
  })

  test('behind a minimal proxy, and behind a proxy whose slot no standard names', async () => {
    const wallet = await deployTestContract(market.chain, 'PickyWallet', [zeroAddress, false, false])
    const clone: Address = '0x0000000000000000000000000000000000c10e01'
    const bytecode: Hex = `0x363d3d373d3d3d363d73${wallet.slice(2)}5af43d82803e903d91602b57fd5bf3`
    await market.chain.setCode({ address: clone, bytecode })
    expect(await sell(clone)).toMatchObject(passed)
    expect(await sell(await deployTestContract(market.chain, 'OtherProxy', [wallet]))).toMatchObject(passed)
  })

  test('unless it refuses ether, which is reported', async () => {
    const wallet = await deployTestContract(market.chain, 'PickyWallet', [zeroAddress, false, true])
    expect(await sell(wallet)).toEqual({
      status: 'failed',
      reason: 'payoutReverts',
      block: expect.any(Number),
      detail: 'no ether',
    })
  })
})

describe('an odd token', () => {
  let odd: OddToken
  let buying: SolverQuote
  let selling: SolverQuote
  beforeAll(async () => {
    odd = await deployOddToken(market.chain)
    const [token, { WETH }] = [odd.address, market.tokens]
    buying = await buildSwapQuote(market, { sellToken: WETH, buyToken: token, sellAmount: parseEther('0.1') })
    selling = await buildSwapQuote(market, { sellToken: token, buyToken: WETH, sellAmount: parseEther('10') })
  })
  const buy = () => verify(buying, { buyToken: odd.address, from: market.trader })
  const sell = () => verify(selling, { sellToken: odd.address, buyToken: market.tokens.WETH, from: market.trader })

  test('that blocks the receiver refutes by its payout, with its revert', async () => {
    expect(await buy()).toMatchObject({ status: 'passed' })
    await odd.set('setBlocked', market.trader, true)
    expect(await buy()).toMatchObject({ status: 'failed', reason: 'payoutReverts', detail: 'blocked' })
    await odd.set('setBlocked', market.trader, false)
  })

  test('whose balances stand in the high bits of words in a namespace of its own is sold without any', async () => {
    const quote = () => verify(selling, { sellToken: odd.address, buyToken: market.tokens.WETH })
    expect(await quote()).toMatchObject({ status: 'passed' })
  })

  test('that must be approved from zero is approved, as is one that refuses an approval of nothing', async () => {
    await odd.give(market.trader, parseEther('100'))
    await odd.set('setNeedsReset', true)
    const approve = { abi: erc20Abi, functionName: 'approve', args: [market.network.vaultRelayer, 1n] } as const
    await sendFrom(market.chain, market.trader, { to: odd.address, data: encodeFunctionData(approve) })
    expect(await sell()).toMatchObject({ status: 'passed' })
    await odd.set('setNeedsReset', false)
    await odd.set('setRefusesNothing', true)
    expect(await sell()).toMatchObject({ status: 'passed' })
    await odd.set('setRefusesNothing', false)
  })

  test('whose owner may not send it refutes by that transfer', async () => {
    await odd.set('setBlocked', market.trader, true)
    expect(await sell()).toMatchObject({ status: 'failed', reason: 'transferReverts', detail: 'blocked' })
    await odd.set('setBlocked', market.trader, false)
  })
})

describe('what cannot be simulated is skipped, never an error', () => {
  const skipped = (reason: string) => ({ status: 'skipped', reason })

  test('a node without eth_simulateV1', async () => {
    const reply = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'
    await withNode(reply, async (rpcUrl) => {
      expect(await verify(offer, {}, { simulate: simulateCalls(rpcUrl) })).toEqual(skipped('nodeCannotSimulate'))
    })
  })

  test.each([
    'nonsense',
    '{}',
    '{"result":[]}',
    '{"result":[{"number":"0x1","calls":[]}]}',
    '{"error":{"code":-32000}}',
  ])('a node that responds with %s', async (reply) => {
    await withNode(reply, async (rpcUrl) => {
      expect(await verify(offer, {}, { simulate: simulateCalls(rpcUrl) })).toEqual(skipped('nodeUnavailable'))
    })
  })

  test('an unreachable node', async () => {
    const simulate = simulateCalls('http://127.0.0.1:1')
    expect(await verify(offer, {}, { simulate })).toEqual(skipped('nodeUnavailable'))
  })

  test('a deadline that has passed', async () => {
    expect(await verify(offer, {}, { signal: AbortSignal.abort() })).toEqual(skipped('timeout'))
  })

  test('a token with an unknown storage layout on a node without access lists, unless the owner has enough', async () => {
    const balanceLayouts: BalanceLayouts = new Map([[market.tokens.WETH, null]])
    const changes = { balanceLayouts, connect: connectWithoutAccessLists }
    expect(await verify(offer, {}, changes)).toEqual(skipped('balanceNotSimulated'))
    expect(await verify(offer, { from: market.trader }, changes)).toMatchObject({ status: 'passed' })
  })
})

test('equal offers of several solvers are simulated once, and a refuted one again', async () => {
  let calls = 0
  const simulate: Simulate = (...args) => {
    calls += 1
    return simulateCalls(market.rpcUrl)(...args)
  }
  const { network, connect } = market
  const balanceLayouts: BalanceLayouts = new Map()
  await verify(offer, {}, { balanceLayouts })
  const deps = { network, simulate, connect, balanceLayouts }
  const verifyOffer = createVerifier(deps, prepare(), new AbortController().signal)
  const other = { ...offer, solver: { name: 'other', address: pauper } }
  const verdicts = await Promise.all([verifyOffer(offer), verifyOffer(other)])
  expect(verdicts.map(({ status }) => status)).toEqual(['passed', 'passed'])
  expect(calls).toBe(1)
  const again = createVerifier(deps, prepare(), new AbortController().signal)
  const refuted = await Promise.all([again(other), again(offer)])
  expect(refuted.map(({ status }) => status)).toEqual(['failed', 'passed'])
})

test('finds the layout of a token once', async () => {
  const calls: number[] = []
  const simulate: Simulate = (list, ...rest) => {
    calls.push(list.length)
    return simulateCalls(market.rpcUrl)(list, ...rest)
  }
  const balanceLayouts: BalanceLayouts = new Map()
  await verify(offer, {}, { simulate, balanceLayouts })
  await verify(offer, {}, { simulate, balanceLayouts })
  expect(calls).toHaveLength(3)
  expect(balanceLayouts.get(market.tokens.WETH)).toBeTypeOf('function')
})

test('the gas of a trade is the same whether or not its pool was used in the latest block', async () => {
  const { WETH, USDC } = market.tokens
  const pool = await market.chain.readContract({
    address: market.network.uniswapV2Factory,
    abi: uniswapV2Abi,
    functionName: 'getPair',
    args: [WETH, USDC],
  })
  const measure = async () => {
    const verification = await verify(offer)
    if (verification.status !== 'passed') throw new Error(verification.status)
    return verification.gasUsed
  }
  const sync = encodeFunctionData({ abi: parseAbi(['function sync()']), functionName: 'sync' })
  // an estimate in the second of the newest block lacks the gas for the pool's prices, which a later second updates
  await sendFrom(market.chain, market.trader, { to: pool, data: sync, gas: 200_000n })
  const afterUse = await measure()
  await market.chain.increaseTime({ seconds: 60 })
  await market.chain.mine({ blocks: 1 })
  expect(await measure()).toBe(afterUse)
})
