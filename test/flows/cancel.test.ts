import { OrderKind, OrderSigningUtils, setGlobalAdapter } from '@cowprotocol/cow-sdk'
import { ViemAdapter } from '@cowprotocol/sdk-viem-adapter'
import { createWalletClient, encodeFunctionData, type Hex, http, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { buildEthFlowOrder, createEthFlowOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

const chainId = 11155111

let stack: SharedStack
let trader: Trader
let adapter: ViemAdapter

beforeAll(async () => {
  stack = await useSharedStack()
  trader = connectTrader(stack.info, account().privateKey)
  await trader.approveRelayer(token('WETH').address)
  adapter = new ViemAdapter({ provider: trader.chain, signer: privateKeyToAccount(account().privateKey) })
  setGlobalAdapter(adapter)
})

afterAll(() => stack?.stop())

const account = () => {
  const [found] = stack.info.accounts
  if (!found) throw new Error('no account')
  return found
}
const token = (symbol: string) => findToken(stack.info, symbol)
/** Sells WETH for USDC at a price that no solver pays, so that the order stays open. */
const postHopeless = async (sellAmount: string): Promise<string> => {
  const { orderId } = await trader.sdk.postLimitOrder({
    kind: OrderKind.SELL,
    sellToken: token('WETH').address,
    sellTokenDecimals: 18,
    buyToken: token('USDC').address,
    buyTokenDecimals: 6,
    sellAmount: parseUnits(sellAmount, 18).toString(),
    buyAmount: parseUnits('1000000', 6).toString(),
  })
  return orderId
}

const sign = (uids: string[]) => OrderSigningUtils.signOrderCancellations(uids, chainId, adapter.signer as never)
const statusOf = async (uid: string) => (await trader.orderBook.getOrder(uid)).status

test('several orders are cancelled with one signature, all or none', async () => {
  const uids = [await postHopeless('0.011'), await postHopeless('0.012')]
  const foreign = await OrderSigningUtils.signOrderCancellations(
    uids,
    chainId,
    new ViemAdapter({
      provider: trader.chain,
      signer: privateKeyToAccount(stack.info.accounts[2]?.privateKey as Hex),
    }).signer as never,
  )
  const send = (orderUids: string[], { signature, signingScheme }: Awaited<ReturnType<typeof sign>>) =>
    trader.orderBook.sendSignedOrderCancellations({
      orderUids,
      signature,
      signingScheme: signingScheme as never,
    })
  await expect(send(uids, foreign)).rejects.toMatchObject({
    response: { status: 401 },
    body: { errorType: 'WrongOwner' },
  })
  expect(await Promise.all(uids.map(statusOf))).toEqual(['open', 'open'])

  await send(uids, await sign(uids))
  expect(await Promise.all(uids.map(statusOf))).toEqual(['cancelled', 'cancelled'])
  const third = await postHopeless('0.013')
  const mixed = [third, uids[0] ?? '']
  await expect(send(mixed, await sign(mixed))).rejects.toMatchObject({ body: { errorType: 'AlreadyCancelled' } })
  expect(await statusOf(third)).toBe('open')
})

test('one order is cancelled by its own path', async () => {
  const uid = await postHopeless('0.014')
  const signature = await privateKeyToAccount(account().privateKey).signTypedData({
    domain: {
      name: 'Gnosis Protocol',
      version: 'v2',
      chainId,
      verifyingContract: stack.info.contracts.settlement,
    },
    types: { OrderCancellation: [{ name: 'orderUid', type: 'bytes' }] },
    primaryType: 'OrderCancellation',
    message: { orderUid: uid as Hex },
  })
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders/${uid}`, {
    method: 'DELETE',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ signature, signingScheme: 'eip712' }),
  })
  expect([response.status, await response.json()]).toEqual([200, 'Cancelled'])
  expect(await statusOf(uid)).toBe('cancelled')
})

test('the owner invalidates an order on-chain, and it stays out of later auctions', async () => {
  const uid = await postHopeless('0.015')
  const data = encodeFunctionData({ abi: settlementAbi, functionName: 'invalidateOrder', args: [uid as Hex] })
  await sendFrom(stack.chain, account().address, { to: stack.info.contracts.settlement, data })
  await waitForStatus(trader, uid, 'cancelled', patienceMs)
  await fillSwap(stack.info, account().privateKey, '0.1')
  expect(await trader.orderBook.getOrder(uid)).toMatchObject({ status: 'cancelled', invalidated: true })
})

test('an order that sells ether is not cancelled by a signature; the SDK ends it on-chain, which returns the ether', async () => {
  const { address, privateKey } = account()
  const order = buildEthFlowOrder({
    buyToken: token('USDC').address,
    receiver: address,
    sellAmount: parseEther('0.05'),
    buyAmount: parseUnits('1000000', 6),
    validTo: Math.floor(Date.now() / 1_000) + 1_200,
  })
  await createEthFlowOrder(stack.chain, address, order)
  const uid = uidOfEthFlow(order)
  const isIndexed = async () => (await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders/${uid}`)).ok
  await expect.poll(isIndexed, { timeout: patienceMs }).toBe(true)
  await expect(trader.sdk.offChainCancelOrder({ orderUid: uid })).rejects.toMatchObject({
    body: { errorType: 'OnChainOrder' },
  })

  const wallet = createWalletClient({ account: address, chain: stack.chain.chain, transport: http(stack.info.rpcUrl) })
  const before = await stack.chain.getBalance({ address })
  setGlobalAdapter(new ViemAdapter({ provider: trader.chain, walletClient: wallet }))
  const hash = (await trader.sdk.onChainCancelOrder({ orderUid: uid })) as Hex
  setGlobalAdapter(new ViemAdapter({ provider: trader.chain, signer: privateKeyToAccount(privateKey) }))
  const { gasUsed, effectiveGasPrice } = await waitForReceipt(stack.chain, hash)
  expect(await stack.chain.getBalance({ address })).toBe(before + order.sellAmount - gasUsed * effectiveGasPrice)
  await waitForStatus(trader, uid, 'cancelled', patienceMs)
  const report = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/debug/order/${uid}`)
  const { events } = (await report.json()) as { events: { label: string }[] }
  const labels = events.map(({ label }) => label)
  expect([labels[0], labels.at(-1)]).toEqual(['created', 'cancelled'])
  expect(labels).not.toContain('executing')
})
