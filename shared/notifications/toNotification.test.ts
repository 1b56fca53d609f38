import { expect, test } from 'vitest'
import { nativeSentinel, networks } from '../networks.ts'
import type { TokenFacts } from '../tokens/findTokenFacts.ts'
import type { NotificationFacts } from './notificationFacts.ts'
import { notificationSchema } from './notificationSchema.ts'
import { notificationTypes } from './notificationTypes.ts'
import { listTokens, type NotificationRow, toNotification } from './toNotification.ts'

const { chainId, wrappedNative: weth, usdReference } = networks.mainnet
const usdc = usdReference.address
const hash = `0x${'ab'.repeat(32)}` as const
const tokens: Record<string, TokenFacts> = {
  [weth]: { symbol: 'WETH', decimals: 18 },
  [usdc]: { symbol: 'USDC', decimals: 6 },
  [nativeSentinel]: { symbol: 'ETH', decimals: 18 },
}
const findToken = (chain: number, token: string) => (chain === chainId ? tokens[token] : undefined)

const sellOrder: NotificationFacts = {
  kind: 'sell',
  partiallyFillable: false,
  sellToken: weth,
  buyToken: usdc,
  sellAmount: '1500000000000000000',
  buyAmount: '4500000000',
  validTo: 4_000_000_000,
  placedOnchain: false,
  executedSellAmount: '1500000000000000000',
  executedBuyAmount: '4512300001',
}
const trade: NonNullable<NotificationFacts['trade']> = {
  transactionHash: hash,
  blockNumber: 7,
  logIndex: 3,
  sellAmount: '1500000000000000000',
  buyAmount: '4512300001',
  feeAmount: '5000000000000000',
  executedFee: '178000000000000',
  surplus: '12300001',
  limitAmount: '4500000000',
  quotedAmount: '4511100000',
}
const buyOrder: NotificationFacts = {
  ...sellOrder,
  kind: 'buy',
  sellToken: usdc,
  buyToken: weth,
  sellAmount: '4500000000',
  buyAmount: '1500000000000000000',
  executedSellAmount: '4400000000',
  executedBuyAmount: '1500000000000000000',
}
const buyTrade = {
  ...trade,
  sellAmount: '4400000000',
  buyAmount: '1500000000000000000',
  surplus: '100000000',
  limitAmount: '4500000000',
  quotedAmount: '4390000000',
}
const halfSold = { partiallyFillable: true, executedSellAmount: '500000000000000000', executedBuyAmount: '1504100000' }
const halfTrade = { ...trade, sellAmount: '500000000000000000', buyAmount: '1504100000' }
const nothing = { executedSellAmount: '0', executedBuyAmount: '0' }
const cancellation = { by: null, replacedBy: null, transactionHash: null }
const funds = { lacks: 'balance', needed: '1500000000000000000', available: '200000000000000000' } as const

const row = (type: NotificationRow['type'], facts: NotificationFacts, changes: Partial<NotificationRow> = {}) => ({
  id: 42,
  chainId,
  account: `0x${'aa'.repeat(20)}` as const,
  orderUid: `0x${'cd'.repeat(56)}` as const,
  type,
  facts,
  createdAt: new Date('2026-11-21T10:00:00Z'),
  ...changes,
})

const strange = `0x${'77'.repeat(20)}` as const

const sentences: [NotificationRow['type'], Partial<NotificationFacts>, string][] = [
  ['order_filled', { trade }, 'Your order on Ethereum Mainnet sold 1.5 WETH for 4,512.30 USDC.'],
  ['order_filled', { ...buyOrder, trade: buyTrade }, 'Your order on Ethereum Mainnet bought 1.5 WETH for 4,400 USDC.'],
  ['order_filled', { trade, placedOnchain: true }, 'Your order on Ethereum Mainnet sold 1.5 ETH for 4,512.30 USDC.'],
  [
    'order_filled',
    { trade, buyToken: nativeSentinel, executedBuyAmount: '1500000000000000001' },
    'Your order on Ethereum Mainnet sold 1.5 WETH for 1.5 ETH.',
  ],
  [
    'order_filled',
    { trade, buyToken: strange },
    'Your order on Ethereum Mainnet sold 1.5 WETH for 4,512,300,001 atoms of 0x7777…7777.',
  ],
  [
    'order_partially_filled',
    { ...halfSold, trade: halfTrade },
    'A part of your order on Ethereum Mainnet was filled: it sold 0.5 WETH for 1,504.10 USDC, and is filled to 33.3 % now.',
  ],
  [
    'price_improvement',
    { trade },
    'Your order on Ethereum Mainnet got 12.3 USDC (0.273 %) more than its limit, and 1.2 USDC more than quoted.',
  ],
  [
    'price_improvement',
    { ...buyOrder, trade: buyTrade },
    'Your order on Ethereum Mainnet paid 100 USDC (2.22 %) less than its limit.',
  ],
  [
    'price_improvement',
    { trade: { ...trade, limitAmount: '1', quotedAmount: null } },
    'Your order on Ethereum Mainnet got 12.3 USDC more than its limit.',
  ],
  [
    'order_expired',
    nothing,
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC expired unfilled.',
  ],
  [
    'order_expired',
    halfSold,
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC expired with 33.3 % of it filled.',
  ],
  [
    'conditional_order_ended',
    { conditional: { hash, reason: 'completed' } },
    'Your conditional order on Ethereum Mainnet is completed: each part was filled. Its last part was to sell 1.5 WETH for at least 4,500 USDC.',
  ],
  [
    'order_cancelled',
    { ...buyOrder, ...nothing, cancellation },
    'Your order on Ethereum Mainnet to buy 1.5 WETH for at most 4,500 USDC was cancelled.',
  ],
  [
    'order_cancelled',
    { ...halfSold, cancellation: { ...cancellation, by: strange, transactionHash: hash } },
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC was cancelled on-chain with 33.3 % of it filled.',
  ],
  [
    'order_cancelled',
    { ...nothing, cancellation: { ...cancellation, replacedBy: `0x${'ef'.repeat(56)}` } },
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC was replaced by another order.',
  ],
  [
    'insufficient_balance',
    { ...nothing, funds },
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC waits for funds: it needs 1.5 WETH, and the account has 0.2 WETH.',
  ],
  [
    'insufficient_balance',
    { ...nothing, funds: { ...funds, lacks: 'allowance', available: '0' } },
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC waits for an approval: it needs 1.5 WETH, and the vault relayer may move 0 WETH.',
  ],
  [
    'insufficient_balance',
    { ...nothing, funds: { ...funds, available: '1499999999999999999', needed: '1499999999999999999999' } },
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC waits for funds: it needs 1,499.99 WETH, and the account has 1.49999 WETH.',
  ],
  [
    'insufficient_balance',
    { ...nothing, funds: { ...funds, needed: '1500000000000000009', available: '1500000000000000000' } },
    'Your order on Ethereum Mainnet to sell 1.5 WETH for at least 4,500 USDC waits for funds: it needs 1.500000000000000009 WETH, and the account has 1.5 WETH.',
  ],
]

test.each(sentences)('%s: %o', (type, changes, message) => {
  const notification = toNotification(row(type, { ...sellOrder, ...changes }), findToken)
  expect(notification.message).toBe(message)
  expect(notificationSchema.parse(notification)).toEqual(notification)
})

test('each type has a sentence above', () => {
  expect(new Set(sentences.map(([type]) => type))).toEqual(new Set(notificationTypes))
})

test('the metadata has exact amounts, in atoms and in whole tokens, and links', () => {
  expect(toNotification(row('order_filled', { ...sellOrder, trade }), findToken)).toEqual({
    id: '42',
    account: `0x${'aa'.repeat(20)}`,
    type: 'order_filled',
    message: expect.any(String),
    timestamp: '2026-11-21T10:00:00.000Z',
    metadata: {
      chainId: 1,
      network: 'mainnet',
      orderUid: `0x${'cd'.repeat(56)}`,
      kind: 'sell',
      partiallyFillable: false,
      sell: { token: weth, symbol: 'WETH', decimals: 18, amount: '1500000000000000000', formatted: '1.5' },
      buy: { token: usdc, symbol: 'USDC', decimals: 6, amount: '4500000000', formatted: '4500' },
      executed: {
        sell: { token: weth, symbol: 'WETH', decimals: 18, amount: '1500000000000000000', formatted: '1.5' },
        buy: { token: usdc, symbol: 'USDC', decimals: 6, amount: '4512300001', formatted: '4512.300001' },
        bps: 10_000,
      },
      validTo: 4_000_000_000,
      links: {
        order: `/mainnet/api/v1/orders/0x${'cd'.repeat(56)}`,
        transaction: `https://etherscan.io/tx/${hash}`,
      },
      transactionHash: hash,
      blockNumber: 7,
      logIndex: 3,
      trade: {
        sell: { token: weth, symbol: 'WETH', decimals: 18, amount: '1500000000000000000', formatted: '1.5' },
        buy: { token: usdc, symbol: 'USDC', decimals: 6, amount: '4512300001', formatted: '4512.300001' },
        fee: { token: weth, symbol: 'WETH', decimals: 18, amount: '5178000000000000', formatted: '0.005178' },
      },
      surplus: { token: usdc, symbol: 'USDC', decimals: 6, amount: '12300001', formatted: '12.300001', bps: 27 },
      improvement: { token: usdc, symbol: 'USDC', decimals: 6, amount: '1200001', formatted: '1.200001', bps: 2 },
    },
  })
})

test('the metadata has the amounts of a shortfall', () => {
  const notification = toNotification(row('insufficient_balance', { ...sellOrder, ...nothing, funds }), findToken)
  expect(notification.metadata).toMatchObject({
    shortfall: {
      lacks: 'balance',
      needed: { formatted: '1.5' },
      available: { formatted: '0.2' },
      missing: { amount: '1300000000000000000', formatted: '1.3', symbol: 'WETH' },
    },
  })
})

test('a token symbol is shown as one word, else the address is', () => {
  const say = (symbol: string | null, decimals = 6) =>
    toNotification(row('order_filled', { ...sellOrder, trade }), (_, token) =>
      token === usdc ? { symbol, decimals } : tokens[token],
    )
  expect(say('<b>\u202eCDSU</b>').message).toContain('for 4,512.30 bCDSU/b.')
  expect(say('<a href="//evil">$$$</a>').metadata.buy.symbol).toBeNull()
  expect(say('win-eth.com').message).toContain(`4,512.30 ${usdc.slice(0, 6)}…${usdc.slice(-4)}.`)
  expect(say('X'.repeat(300)).message.length).toBeLessThan(100)
  const absurd = say('X', 255)
  expect(absurd.message).toContain('for less than 0.000000000001 X')
  expect(absurd.metadata.executed.buy.formatted).toHaveLength(257)
})

test('networks that are no longer in the table are named by their chain id', () => {
  const notification = toNotification(row('order_filled', { ...sellOrder, trade }, { chainId: 4_242 }), findToken)
  expect(notification.message).toMatch(
    /^Your order on chain 4242 sold 1,500,000,000,000,000,000 atoms of 0xc02a…6cc2 for /,
  )
  expect(notification.metadata).toMatchObject({ network: '4242', links: { transaction: null } })
  expect(notificationSchema.parse(notification)).toEqual(notification)
})

test('lists the tokens that it names', () => {
  const placed = row('order_expired', { ...sellOrder, placedOnchain: true })
  expect(listTokens([placed, row('order_expired', sellOrder)])).toEqual(
    [nativeSentinel, usdc, weth, usdc].map((address) => ({ chainId, address })),
  )
})
