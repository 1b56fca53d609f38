import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import type { TimelineReport } from '#tools/demo/printTimeline.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { connectOrderBook, type OrderBook } from '../../helpers/console/orderBook.ts'
import { countAuctionsToFill } from '../../helpers/hostile/countAuctionsToFill.ts'
import { postSignedOrder } from '../../helpers/orders/postSignedOrder.ts'
import { findToken } from '../../helpers/stack/findToken.ts'
import { type SharedStack, useSharedStack } from '../../helpers/stack/useSharedStack.ts'

/**
 * An honest order fills within this many auctions beside any other orders: blocks go on while a slow machine holds an
 * auction.
 */
const maxAuctionsToFill = 8
/** in which an auction of the newest block is cut, solved and sent */
const auctionMs = 1_500

let stack: SharedStack
let book: OrderBook

beforeAll(async () => {
  stack = await useSharedStack()
  book = connectOrderBook(stack.info)
  for (const { privateKey } of stack.info.accounts.slice(0, 3)) {
    const trader = connectTrader(stack.info, privateKey)
    for (const symbol of ['WETH', 'COW']) await trader.approveRelayer(tokenOf(symbol))
  }
})

afterAll(() => stack?.stop())

const tokenOf = (symbol: string) => findToken(stack.info, symbol).address

/** An EIP-1271 wallet with five WETH for sale, and an order of it that sells one for at least one atom. */
const placeHostile = async (byGasPrice: boolean, buyToken: Address): Promise<string> => {
  const account = stack.info.accounts[3]?.address as Address
  const { abi, creationCode } = readCompiledContract('FickleWallet')
  const hash = await stack.chain.deployContract({ abi, bytecode: creationCode, args: [byGasPrice], account })
  const { contractAddress: wallet } = await waitForReceipt(stack.chain, hash)
  if (!wallet) throw new Error('no wallet')
  const funding = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [wallet, parseEther('5')] })
  await sendFrom(stack.chain, account, { to: tokenOf('WETH'), data: funding })
  const approval = { abi, functionName: 'approve', args: [tokenOf('WETH'), stack.info.contracts.vaultRelayer] }
  await sendFrom(stack.chain, account, { to: wallet, data: encodeFunctionData(approval) })
  const body = {
    from: wallet,
    receiver: wallet,
    sellToken: tokenOf('WETH'),
    buyToken,
    sellAmount: parseEther('1').toString(),
    buyAmount: '1',
    validTo: Math.floor(Date.now() / 1_000) + 3_600,
    appData: '{}',
    feeAmount: '0',
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    signingScheme: 'eip1271',
    signature: '0x01',
  }
  for (let tries = 0; ; tries += 1) {
    try {
      return await book.post(body)
    } catch (error) {
      // the wallet refuses in half of the blocks
      if (tries === 60) throw error
      await stack.chain.mine({ blocks: 1 })
    }
  }
}

/** An order with a limit a fifth below the market. */
const placeHonest = async (account: number, sell: string, buy: string, sold: string, least: bigint) => {
  const privateKey = stack.info.accounts[account]?.privateKey as Hex
  const terms = { sellToken: tokenOf(sell), buyToken: tokenOf(buy), sellAmount: parseEther(sold), buyAmount: least }
  return postSignedOrder(stack.info, privateKey, terms)
}

/**
 * Places honest orders on the pairs of the hostile ones and on another, and expects that all fill within few auctions.
 */
const expectHonestFills = async () => {
  const uids = await Promise.all([
    placeHonest(0, 'WETH', 'USDC', '0.1', parseUnits('240', 6)),
    placeHonest(1, 'WETH', 'USDC', '0.2', parseUnits('480', 6)),
    placeHonest(2, 'WETH', 'COW', '0.1', parseEther('800')),
    placeHonest(0, 'COW', 'WETH', '100', parseEther('0.008')),
  ])
  const auctions = await Promise.all(
    uids.map(async (uid) => {
      await book.waitFor(uid, ({ status }) => status === 'fulfilled')
      return countAuctionsToFill(stack.info, uid)
    }),
  )
  console.log(`auctions to fill: ${auctions.join(', ')}`)
  expect(Math.max(...auctions)).toBeLessThanOrEqual(maxAuctionsToFill)
}

const hasFailed = async (uid: string): Promise<boolean> =>
  (await book.get<TimelineReport>(`/debug/order/${uid}`)).auctions
    .flatMap(({ settlementAttempts }) => settlementAttempts.map(({ outcome }) => outcome ?? 'under way'))
    .some((outcome) => outcome.startsWith('driver failed'))

/** Half of the settlements of each such order revert; one that settles is replaced. */
const waitForFailure = async () => {
  for (let placed = 0; placed < 40; placed += 1) {
    const uid = await placeHostile(false, tokenOf('USDC'))
    for (let blocks = 0; blocks < 40; blocks += 1) {
      if (await hasFailed(uid)) return
      const { status } = await book.get<{ status: string }>(`/orders/${uid}`)
      if (status === 'fulfilled') break
      await stack.chain.mine({ blocks: 1 })
      await sleep(auctionMs)
    }
  }
  throw new Error('no settlement of a hostile order reverted')
}

test('honest orders fill within a few auctions beside orders that pass simulation and revert on-chain', async () => {
  await placeHostile(true, tokenOf('COW'))
  await placeHostile(false, tokenOf('USDC'))
  await expectHonestFills()
  await waitForFailure()
  // on the same pairs again, now that a hostile order has failed
  await expectHonestFills()
})
