import {
  OrderKind,
  OrderQuoteSideKindBuy,
  OrderQuoteSideKindSell,
  OrderSigningUtils,
  SigningScheme,
  setGlobalAdapter,
} from '@cowprotocol/cow-sdk'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, maxUint256, parseUnits, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { type DemoSwap, postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { deploySafe, type TestSafe } from '../helpers/chain/safe.ts'
import { expectAgreement, readBalances } from '../helpers/database/expectAgreement.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: Trader
let adapter: ViemAdapter

beforeAll(async () => {
  stack = await useSharedStack()
  trader = connectTrader(stack.info, privateKey())
  for (const symbol of ['WETH', 'USDC']) await trader.approveRelayer(token(symbol).address)
  adapter = new ViemAdapter({ provider: trader.chain, signer: privateKeyToAccount(privateKey()) })
  setGlobalAdapter(adapter)
})

afterAll(() => stack?.stop())

const chainId = 11155111
const privateKey = () => stack.info.accounts[0]?.privateKey as Hex
const token = (symbol: string) => findToken(stack.info, symbol)
const swapOf = (amount = '0.1') => ({
  kind: OrderKind.SELL,
  sellToken: token('WETH').address,
  sellTokenDecimals: 18,
  buyToken: token('USDC').address,
  buyTokenDecimals: 6,
  amount: parseUnits(amount, 18).toString(),
})
describe('app data', () => {
  test('a document is stored once under its hash and read back to the byte', async () => {
    const fullAppData = '{"appCode":"ü","metadata":{}}'
    const hash = keccak256(toBytes(fullAppData))
    await trader.orderBook.uploadAppData(hash, fullAppData)
    await trader.orderBook.uploadAppData(hash, fullAppData)
    expect(await trader.orderBook.getAppData(hash)).toEqual({ fullAppData })
    await expect(trader.orderBook.uploadAppData(hash, '{}')).rejects.toMatchObject({
      body: { errorType: 'AppDataHashMismatch' },
    })
  })
})

describe('quotes', () => {
  const common = () => ({
    from: trader.address,
    receiver: trader.address,
    sellToken: token('WETH').address,
    buyToken: token('USDC').address,
  })
  const amount = parseUnits('1', 18).toString()

  test('a sell budget: the fee is taken from it', async () => {
    const { quote, id, from } = await trader.orderBook.getQuote({
      ...common(),
      kind: OrderQuoteSideKindSell.SELL,
      sellAmountBeforeFee: amount,
    })
    expect(BigInt(quote.sellAmount) + BigInt(quote.feeAmount)).toBe(BigInt(amount))
    expect(BigInt(quote.feeAmount)).toBeGreaterThan(0n)
    expect(Number(quote.buyAmount) / 1e6).toBeGreaterThan(2_000)
    expect(id).toBeGreaterThan(0)
    expect(from).toBe(trader.address.toLowerCase())
  })

  test('an exact sell amount: the fee comes on top', async () => {
    const { quote } = await trader.orderBook.getQuote({
      ...common(),
      kind: OrderQuoteSideKindSell.SELL,
      sellAmountAfterFee: amount,
    })
    expect(quote.sellAmount).toBe(amount)
  })

  test('an exact buy amount', async () => {
    const buyAmountAfterFee = parseUnits('100', 6).toString()
    const { quote } = await trader.orderBook.getQuote({
      ...common(),
      kind: OrderQuoteSideKindBuy.BUY,
      buyAmountAfterFee,
    })
    expect(quote.buyAmount).toBe(buyAmountAfterFee)
    expect(quote.kind).toBe('buy')
  })
})

describe('orders fill, and all responses about them agree to the atom', () => {
  const trade = async (swap: DemoSwap): Promise<void> => {
    const before = await readBalances(trader, swap.sellToken.address, swap.buyToken.address)
    const uid = await postSwap(trader, swap)
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, swap.sellToken.address, swap.buyToken.address)
    await expectAgreement(stack.info, trader, uid, before, after)
  }

  test('a sell order fills', () =>
    trade({ kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount: parseUnits('0.5', 18) }))

  test('a buy order fills', () =>
    trade({ kind: 'buy', sellToken: token('USDC'), buyToken: token('DAI'), amount: parseUnits('250', 18) }))
})

describe('signing schemes fill on the chain', () => {
  test('ethsign', async () => {
    const { orderToSign } = (await trader.sdk.getQuote({ ...swapOf(), slippageBps: 100 })).quoteResults
    const { orderDigest } = await OrderSigningUtils.generateOrderId(chainId, orderToSign as never, {
      owner: trader.address,
    })
    const signature = await privateKeyToAccount(privateKey()).signMessage({ message: { raw: orderDigest as Hex } })
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const { appDataInfo } = (await trader.sdk.getQuote({ ...swapOf(), slippageBps: 100 })).quoteResults
    expect(appDataInfo.appDataKeccak256).toBe(orderToSign.appData)
    const uid = await trader.orderBook.sendOrder({
      ...(orderToSign as never as Parameters<typeof trader.orderBook.sendOrder>[0]),
      appData: appDataInfo.fullAppData,
      from: trader.address,
      signingScheme: SigningScheme.ETHSIGN as never,
      signature,
    })
    await waitForStatus(trader, uid, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    await expectAgreement(stack.info, trader, uid, before, after)
  })

  test('presign: pending until the owner signs on the chain', async () => {
    const before = await readBalances(trader, token('WETH').address, token('USDC').address)
    const { orderId } = await trader.sdk.postSwapOrder(swapOf(), {
      quoteRequest: { signingScheme: SigningScheme.PRESIGN },
      additionalParams: { signingScheme: SigningScheme.PRESIGN },
    })
    expect((await trader.orderBook.getOrder(orderId)).status).toBe('presignaturePending')
    const { to, data } = await trader.sdk.getPreSignTransaction({ orderUid: orderId })
    const account = trader.address
    const hash = await stack.chain.sendTransaction({ account, to: to as Address, data: data as Hex })
    await waitForReceipt(stack.chain, hash)
    await waitForStatus(trader, orderId, 'fulfilled')
    const after = await readBalances(trader, token('WETH').address, token('USDC').address)
    expect(before.sell - after.sell).toBe(BigInt(swapOf().amount))
    expect(after.buy).toBeGreaterThan(before.buy)
  })

  test('EIP-1271: a Safe owns the order, and a signature that it rejects is refused', async () => {
    const owner = stack.info.accounts[0]
    if (!owner) throw new Error('no account')
    const safe: TestSafe = await deploySafe(stack.chain, owner)
    const account = owner.address
    const sellAmount = BigInt(swapOf().amount)
    const weth = token('WETH').address
    const give = { abi: erc20Abi, functionName: 'transfer', args: [safe.address, sellAmount] } as const
    await waitForReceipt(
      stack.chain,
      await stack.chain.sendTransaction({ account, to: weth, data: encodeFunctionData(give) }),
    )
    const approve = { abi: erc20Abi, functionName: 'approve', args: [stack.info.contracts.vaultRelayer, maxUint256] }
    await safe.call(weth, encodeFunctionData(approve as never))

    const post = (sign: (digest: Hex) => Promise<Hex>) =>
      trader.sdk.postSwapOrder(
        { ...swapOf(), owner: safe.address },
        {
          quoteRequest: { signingScheme: SigningScheme.EIP1271, from: safe.address, receiver: safe.address },
          additionalParams: {
            signingScheme: SigningScheme.EIP1271,
            customEIP1271Signature: async (order) => {
              const { orderDigest } = await OrderSigningUtils.generateOrderId(chainId, order as never, {
                owner: safe.address,
              })
              return sign(orderDigest as Hex)
            },
          },
        },
      )
    await expect(post(() => safe.signDigest(`0x${'11'.repeat(32)}`))).rejects.toMatchObject({
      body: { errorType: 'InvalidEip1271Signature' },
    })
    const { orderId } = await post(safe.signDigest)
    await waitForStatus(trader, orderId, 'fulfilled')
    const order = await trader.orderBook.getOrder(orderId)
    expect(order.owner).toBe(safe.address.toLowerCase())
    const balanceOf = { abi: erc20Abi, functionName: 'balanceOf', args: [safe.address] } as const
    expect(await stack.chain.readContract({ address: weth, ...balanceOf })).toBe(0n)
    const got = await stack.chain.readContract({ address: token('USDC').address, ...balanceOf })
    expect(got.toString()).toBe(order.executedBuyAmount)
    expect(got).toBeGreaterThan(0n)
  })
})

describe('reads after a trade', () => {
  test('trades, orders of its transaction, competition, native price, surplus, version', async () => {
    const surplusBefore = BigInt((await trader.orderBook.getTotalSurplus(trader.address)).totalSurplus ?? '')
    const uid = await postSwap(trader, {
      kind: 'sell',
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      amount: parseUnits('0.2', 18),
    })
    await waitForStatus(trader, uid, 'fulfilled')
    const order = await trader.orderBook.getOrder(uid)
    const [trade] = await trader.orderBook.getTrades({ orderUid: uid })
    expect(trade).toMatchObject({ orderUid: uid, sellAmount: order.executedSellAmount })
    const byOwner = await trader.orderBook.getTrades({ owner: trader.address, limit: 5 })
    expect(byOwner[0]).toEqual(trade)

    const transactionHash = trade?.txHash ?? ''
    const inTransaction = await trader.orderBook.getTxOrders(transactionHash)
    expect(inTransaction.map((found) => found.uid)).toEqual([uid])
    const competition = await trader.orderBook.getSolverCompetition(transactionHash)
    expect(await trader.orderBook.getSolverCompetition(competition.auctionId ?? -1)).toEqual(competition)
    expect(competition.solutions?.at(-1)).toMatchObject({ ranking: 1, isWinner: true })

    const { price } = await trader.orderBook.getNativePrice(token('USDC').address)
    expect(price).toBeGreaterThan(1e18 / 1e6 / 4_000)
    expect(price).toBeLessThan(1e18 / 1e6 / 2_000)
    const { totalSurplus } = await trader.orderBook.getTotalSurplus(trader.address)
    const surplus = BigInt(order.executedBuyAmount) - BigInt(order.buyAmount)
    const gained = BigInt(totalSurplus ?? '') - surplusBefore
    expect(Number(gained) / (Number(surplus) * (price ?? 0))).toBeCloseTo(1, 1)
    expect(await trader.orderBook.getVersion()).toMatch(/\S/)
  })
})
