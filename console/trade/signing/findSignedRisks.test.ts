import { expect, test } from 'vitest'
import { sampleDraft, sampleTokens } from '../../testing/sampleDraft.ts'
import type { Draft } from '../draft/draft.ts'
import type { Quote } from '../quote/quote.ts'
import { findSignedRisks } from './findSignedRisks.ts'

const ether = 10n ** 18n
/** 3,000 USDC for a WETH; only the fields of a quote that are read. */
const quote = {
  slippageBps: 1_200,
  amounts: { afterPartnerFee: { sellAmount: String(ether), buyAmount: '3000000000' } },
} as unknown as Quote
const prices = new Map([
  [sampleTokens.sell.address, 3_000],
  [sampleTokens.buy.address, 1],
])
const find = (
  buyAmount: bigint,
  changes: Partial<Draft> = {},
  known: Partial<{ quote: null; prices: undefined }> = {},
) =>
  findSignedRisks({
    draft: sampleDraft({ type: 'limit', ...changes }),
    signed: { sellAmount: ether, buyAmount },
    quote,
    prices,
    ...known,
  }).map(({ text }) => text)

test('a limit near the market or better has no warning', () => {
  expect(find(3_000_000_000n)).toEqual([])
  expect(find(2_860_000_000n)).toEqual([])
  expect(find(9_000_000_000n)).toEqual([])
})

test('a limit far below the market has a warning with the figures', () => {
  expect(find(300_000_000n)).toEqual([
    'At your price you may receive 90 % less than the market offers now.',
    'Measured in US dollars you receive about 90 % less than you pay.',
  ])
  const buys = findSignedRisks({
    draft: sampleDraft({ type: 'limit', kind: 'buy' }),
    signed: { sellAmount: 2n * ether, buyAmount: 3_000_000_000n },
    quote,
    prices: undefined,
  })
  expect(buys).toEqual([{ text: 'At your price you may pay 100 % more than at the market price now.', share: 1 }])
})

test('a limit without an offer is compared with dollar prices alone', () => {
  expect(find(300_000_000n, {}, { quote: null })).toEqual([
    expect.stringMatching(/^Measured in US dollars .* 90 % less/),
  ])
  expect(find(300_000_000n, {}, { quote: null, prices: undefined })).toEqual([])
})

test('a market order with a high slippage, typed or suggested, has a warning', () => {
  const market = { type: 'market', slippageBps: 2_000 } as const
  expect(find(2_900_000_000n, market)).toEqual(['With 20 % slippage you may receive that much less than quoted.'])
  expect(find(2_900_000_000n, { ...market, slippageBps: 'auto' })).toEqual([
    'With 12 % slippage you may receive that much less than quoted.',
  ])
  expect(find(2_900_000_000n, { ...market, slippageBps: 500 })).toEqual([])
  expect(find(2_900_000_000n, { ...market, kind: 'buy' })).toEqual([expect.stringMatching(/pay that much more/)])
})
