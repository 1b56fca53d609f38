import { expect, test } from 'vitest'
import { sampleDraft, sampleTokens } from '../../testing/sampleDraft.ts'
import { toShownMarket } from './toShownMarket.ts'

const { sell, buy } = sampleTokens
const prices = (sellUsd: number, buyUsd: number) =>
  new Map([
    [sell.address, sellUsd],
    [buy.address, buyUsd],
  ])

test('the dear token is priced in the cheap one', () => {
  const draft = sampleDraft({ sell, buy })
  expect(toShownMarket(draft, prices(3_000, 1))).toMatchObject({ market: { base: sell }, price: 3_000 })
  expect(toShownMarket(draft, prices(1, 2_000))).toMatchObject({
    market: { base: buy },
    price: 2_000,
    isInverted: true,
  })
})

test('the form may say otherwise', () => {
  const draft = { ...sampleDraft({ sell, buy }), per: 'buy' as const }
  expect(toShownMarket(draft, prices(2_000, 1))).toMatchObject({ market: { base: buy }, price: 1 / 2_000 })
})
