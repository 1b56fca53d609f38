import { type Address, encodeFunctionData, erc20Abi, type Hex, hashTypedData, maxUint256, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import { type DevAccount, devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { defaultHarshOptions, type HarshOptions } from '#tools/stack/chain/harsh/harshOptions.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { engineAccounts } from '#tools/stack/startStores.ts'
import { type Counter, deployCounter } from '../helpers/chain/counter.ts'
import { buildHookDocument } from '../helpers/chain/permitToken.ts'
import { deploySafe, type TestSafe } from '../helpers/chain/safe.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { orderTypes } from '../helpers/orders/orderTypes.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { patientAuctions, patientQuotes, startTestStack } from '../helpers/stack/testStack.ts'
import { type PublicDriver, startPublicDriver } from './publicDriver.ts'
import { type PublicEngine, startPublicEngine } from './publicEngine.ts'

const { sepolia } = networks
const { settlementContract: settlement, wrappedNative: WETH } = sepolia
const USDC = sepolia.usdReference.address
/** sold to the driver; the engine leaves it alone */
const COW: Address = '0x0625afb445c3b6b7b929342a04a22599fd5dbb59'
const driverAccount = devAccounts[3]
const engineAccount = engineAccounts[0]?.address
const maker = generatePrivateKey()

/** Blocks for each transaction and a perfect node; or blocks at an interval, other traders, and a node that lags, limits and lacks methods. */
const chains: [string, HarshOptions | undefined][] = [
  ['kind', undefined],
  ['harsh', { ...defaultHarshOptions, blockSeconds: 1 }],
]

describe.each(chains)('on the %s chain', (_, harsh) => {
  let stack: Stack
  let engine: PublicEngine
  let driver: PublicDriver
  let book: OrderBook
  let trader: DevAccount
  let counter: Counter
  let safe: TestSafe

  const approve = async (account: Address, tokens: Address[], spender: Address): Promise<void> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
    for (const to of tokens) await sendFrom(stack.chain, account, { to, data })
  }

  beforeAll(async () => {
    const rpcPort = await findPort(0, 'RPC_PORT')
    const { chainId } = sepolia
    engine = await startPublicEngine({ maker, chainId, settlement, jitPair: [WETH, USDC], ignored: COW })
    driver = await startPublicDriver({
      ...{ privateKey: driverAccount.privateKey, rpcUrl: `http://127.0.0.1:${rpcPort}`, settlement },
      ...{ chainId, wrappedNative: WETH, sellToken: COW, jitToken: WETH },
    })
    stack = await startTestStack({
      rpcPort,
      ...(harsh && { harsh }),
      engines: [{ name: 'public-engine', url: engine.url }],
      extraSolvers: [{ name: 'public-driver', address: driverAccount.address, url: driver.url }],
      vars: { auctions: patientAuctions, quotes: patientQuotes },
    })
    book = connectOrderBook(stack.info)
    trader = await createTrader(stack)
    const { address } = privateKeyToAccount(maker)
    await stack.chain.setBalance({ address, value: 10n ** 18n })
    await stack.chain.impersonateAccount({ address })
    safe = await deploySafe(stack.chain, trader)
    for (const [to, holder] of [
      [USDC, address],
      [USDC, safe.address],
      [COW, safe.address],
    ] as const) {
      const args = [holder, parseUnits('10000', to === USDC ? 6 : 18)] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      await sendFrom(stack.chain, devAccounts[7].address, { to, data })
    }
    const { vaultRelayer } = stack.info.contracts
    await approve(address, [USDC], vaultRelayer)
    await approve(driverAccount.address, [WETH, USDC], settlement)
    await approve(driverAccount.address, [WETH], vaultRelayer)
    for (const token of [USDC, COW]) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vaultRelayer, maxUint256] })
      await safe.call(token, data)
    }
    counter = await deployCounter(stack.chain)
  })

  afterAll(async () => {
    await stack?.stop()
    await engine?.stop()
    await driver?.stop()
  })

  /** Posts an order, again while the service is unavailable: a node of the harsh chain refuses some requests. */
  const post = async (order: object): Promise<string> => {
    for (;;) {
      const uid = await book.post(order).catch((error: Error) => {
        if (!harsh || !error.message.includes('503')) throw error
      })
      if (uid) return uid
    }
  }

  const place = async (terms: SignableOrder): Promise<string> =>
    post(await signOrder(stack.info, trader.privateKey, terms))

  /** Places an order of the Safe, signed by EIP-1271. */
  const placeOfSafe = async (terms: SignableOrder): Promise<string> => {
    const owner = safe.address.toLowerCase() as Address
    const { signature: _, ...draft } = await signOrder(stack.info, trader.privateKey, {
      ...{ ...terms, receiver: owner },
      appData: `0x${'00'.repeat(32)}`,
    })
    const digest = hashTypedData({
      domain: { name: 'Gnosis Protocol', version: 'v2', chainId: stack.info.chainId, verifyingContract: settlement },
      types: orderTypes,
      primaryType: 'Order',
      message: {
        ...{ ...draft, sellAmount: terms.sellAmount, buyAmount: terms.buyAmount, feeAmount: 0n },
        appData: draft.appData as Hex,
      },
    })
    return post({ ...draft, from: owner, signingScheme: 'eip1271', signature: await safe.signDigest(digest) })
  }

  /** Waits until an order is filled. @returns its winner, and the transaction and auction of the trade */
  const waitForWinner = async (uid: string) => {
    const order = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
    const report = await findDebugReport(stack.info, uid)
    const attempt = report.auctions
      .flatMap(({ id, settlementAttempts }) => settlementAttempts.map((each) => ({ ...each, auctionId: String(id) })))
      .find(({ outcome }) => outcome === 'success')
    return { order, solver: attempt?.solver, auctionId: attempt?.auctionId, txHash: report.trades[0]?.txHash }
  }

  /** What a solver sees of an auction: why its solutions lost, or what was left out. */
  const findReasons = async (solver: Address | undefined, uid: string): Promise<unknown> => {
    const { auctions } = await book.get<{ auctions: { id: number; solutions: { orders: string[] }[] }[] }>(
      `/explorer/solvers/${solver}?limit=10`,
    )
    return auctions.filter(
      ({ solutions }) => solutions.length === 0 || solutions.some(({ orders }) => orders.includes(uid)),
    )
  }

  /**
   * Replaces the blocks since the settlement of an order by empty ones, and waits until another block has a settlement of it.
   * @returns the transaction that settles it then
   */
  const dropSettlement = async (uid: string): Promise<string> => {
    const { txHash } = await waitForWinner(uid)
    const { blockHash, blockNumber } = await stack.chain.getTransactionReceipt({ hash: txHash as Hex })
    // one block more, because another may come meanwhile
    const depth = Number((await stack.chain.getBlockNumber()) - blockNumber) + 2
    await stack.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    let settled = ''
    const isAgain = async () => {
      const [trade] = (await findDebugReport(stack.info, uid)).trades
      if (!trade?.txHash) return false
      settled = trade.txHash
      const receipt = await stack.chain.getTransactionReceipt({ hash: settled as Hex }).catch(() => undefined)
      return receipt !== undefined && receipt.blockHash !== blockHash
    }
    await waitUntil('it is settled in another block', isAgain, { timeoutMs: patienceMs })
    return settled
  }

  const outcomes: boolean[] = []

  /**
   * Waits until an order is filled, by this solver. On the harsh chain a price may move or a node fail between two
   * solvers' responses: a loss there is one that the solver can explain.
   * @returns undefined after such a loss
   */
  const winWith = async (solver: Address | undefined, uid: string) => {
    const won = await waitForWinner(uid)
    outcomes.push(won.solver === solver)
    if (won.solver === solver) return won
    const reasons = await findReasons(solver, uid)
    if (!harsh) expect.fail(`${won.solver} won: ${JSON.stringify(reasons)}`)
    expect(reasons).not.toEqual([])
    return undefined
  }

  const cow = (amount: string) => parseUnits(amount, 18)
  const ether = (amount: string) => parseUnits(amount, 18)
  const usdc = (amount: string) => parseUnits(amount, 6)
  const partnerFee = () => JSON.stringify({ metadata: { partnerFee: { volumeBps: 20, recipient: trader.address } } })
  const countOnce = (key: string) =>
    buildHookDocument({ pre: [counter.buildHook(key)], post: [counter.buildHook(key)] })

  type Case = [string, () => Promise<string>]

  const engineCases: Case[] = [
    [
      'a sell order, with a just-in-time order',
      () => place({ sellToken: WETH, buyToken: USDC, sellAmount: ether('0.1'), buyAmount: usdc('250') }),
    ],
    [
      'a sell order, in a pool',
      () => place({ sellToken: USDC, buyToken: WETH, sellAmount: usdc('300'), buyAmount: ether('0.09') }),
    ],
    [
      'a buy order',
      () => place({ sellToken: USDC, buyToken: WETH, sellAmount: usdc('330'), buyAmount: ether('0.1'), kind: 'buy' }),
    ],
    [
      'a partially fillable order',
      () =>
        place({
          ...{ sellToken: USDC, buyToken: WETH, sellAmount: usdc('310'), buyAmount: ether('0.09') },
          partiallyFillable: true,
        }),
    ],
    [
      'an order that buys ether',
      () => place({ sellToken: USDC, buyToken: nativeSentinel, sellAmount: usdc('320'), buyAmount: ether('0.09') }),
    ],
    [
      'an order of a contract, signed by EIP-1271',
      () => placeOfSafe({ sellToken: USDC, buyToken: WETH, sellAmount: usdc('330'), buyAmount: ether('0.09') }),
    ],
    [
      'an order with hooks',
      () =>
        place({
          ...{ sellToken: USDC, buyToken: WETH, sellAmount: usdc('340'), buyAmount: ether('0.09') },
          appData: countOnce('engine'),
        }),
    ],
    [
      'an order with a partner fee',
      () =>
        place({
          ...{ sellToken: USDC, buyToken: WETH, sellAmount: usdc('350'), buyAmount: ether('0.09') },
          appData: partnerFee(),
        }),
    ],
  ]

  const driverCases: Case[] = [
    ['a sell order', () => place({ sellToken: COW, buyToken: USDC, sellAmount: cow('1000'), buyAmount: usdc('200') })],
    [
      'a buy order',
      () => place({ sellToken: COW, buyToken: USDC, sellAmount: cow('1500'), buyAmount: usdc('300'), kind: 'buy' }),
    ],
    [
      'a partially fillable order',
      () =>
        place({
          ...{ sellToken: COW, buyToken: USDC, sellAmount: cow('1010'), buyAmount: usdc('200') },
          partiallyFillable: true,
        }),
    ],
    [
      'an order that buys ether',
      () => place({ sellToken: COW, buyToken: nativeSentinel, sellAmount: cow('1020'), buyAmount: ether('0.08') }),
    ],
    [
      'a sell order, with a just-in-time order',
      () => place({ sellToken: COW, buyToken: WETH, sellAmount: cow('1015'), buyAmount: ether('0.08') }),
    ],
    [
      'an order of a contract, signed by EIP-1271',
      () => placeOfSafe({ sellToken: COW, buyToken: USDC, sellAmount: cow('1030'), buyAmount: usdc('200') }),
    ],
    [
      'an order with hooks',
      () =>
        place({
          ...{ sellToken: COW, buyToken: USDC, sellAmount: cow('1040'), buyAmount: usdc('200') },
          appData: countOnce('driver'),
        }),
    ],
    [
      'an order with a partner fee',
      () =>
        place({
          ...{ sellToken: COW, buyToken: USDC, sellAmount: cow('1050'), buyAmount: usdc('200') },
          appData: partnerFee(),
        }),
    ],
  ]

  describe('an engine of the public system wins, settles and is notified of', () => {
    test.each(engineCases)('%s', async (_, placeOrder) => {
      const won = await winWith(engineAccount, await placeOrder())
      if (!won) return
      const { txHash, auctionId } = won
      const isNotified = async () => engine.notices.some(({ transaction }) => transaction === txHash)
      await waitUntil('the engine is notified', isNotified, { timeoutMs: patienceMs })
      const notice = engine.notices.find(({ transaction }) => transaction === txHash)
      expect(notice).toMatchObject({ auctionId, kind: 'success' })
      const started = { auctionId, solutionId: notice?.solutionId, kind: 'settlementStarted' }
      expect(engine.notices).toContainEqual(started)
    })
  })

  test('what an engine won is settled again after a reorganisation dropped its settlement', async () => {
    const terms = { sellToken: USDC, buyToken: WETH, sellAmount: usdc('360'), buyAmount: ether('0.09') }
    const uid = await place(terms)
    const { order } = await waitForWinner(uid)
    await dropSettlement(uid)
    const { executedSellAmount } = await book.waitFor(uid, ({ status }) => status === 'fulfilled')
    expect(executedSellAmount).toBe(order.executedSellAmount)
  })

  describe('a driver of the public interface wins and settles', () => {
    test.each(driverCases)('%s', async (_, placeOrder) => {
      const won = await winWith(driverAccount.address, await placeOrder())
      if (won) expect(driver.settled).toContain(won.txHash)
    })
  })

  test('an order is offered to a driver again after a reorganisation dropped its settlement', async () => {
    const uid = await place({ sellToken: COW, buyToken: USDC, sellAmount: cow('1060'), buyAmount: usdc('200') })
    const won = await winWith(driverAccount.address, uid)
    if (!won) return
    const before = driver.offers.length
    const txHash = await dropSettlement(uid)
    // another solver may win it now
    expect(driver.offers.slice(before)).toContain(uid)
    const again = await winWith(driverAccount.address, uid)
    if (!again) return
    expect(txHash).not.toBe(won.txHash)
    expect(driver.settled).toContain(txHash)
  })

  test('both win at least three quarters of the orders', () => {
    console.log(`won ${outcomes.filter(Boolean).length} of ${outcomes.length}`)
    expect(outcomes.filter(Boolean).length).toBeGreaterThanOrEqual(outcomes.length * 0.75)
  })

  test('hooks ran before and after each trade', async () => {
    for (const key of ['engine', 'driver']) {
      const runs = await counter.count(key)
      expect(runs).toBeGreaterThan(0n)
      expect(runs % 2n).toBe(0n)
    }
  })
})
