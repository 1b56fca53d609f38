import { expect, test } from 'vitest'
import { isOfferKept } from './isOfferKept.ts'
import type { Quote } from './quote.ts'

/** Only what is read of an offer. */
const toOffer = (sellAmount: string, buyAmount: string, receivedAt: number) => ({
  quote: { amounts: { afterPartnerFee: { sellAmount, buyAmount } } } as unknown as Quote,
  receivedAt,
})

test('a better offer of the round before stays', () => {
  expect(isOfferKept('sell', toOffer('100', '200', 0), toOffer('100', '199', 20_000))).toBe(true)
  expect(isOfferKept('buy', toOffer('100', '200', 0), toOffer('101', '200', 20_000))).toBe(true)
})

test('it gives way to one that is as good or better, or when it has ended', () => {
  expect(isOfferKept('sell', null, toOffer('100', '1', 0))).toBe(false)
  expect(isOfferKept('sell', toOffer('100', '200', 0), toOffer('100', '200', 20_000))).toBe(false)
  expect(isOfferKept('sell', toOffer('100', '200', 0), toOffer('100', '201', 20_000))).toBe(false)
  expect(isOfferKept('buy', toOffer('100', '200', 0), toOffer('99', '200', 20_000))).toBe(false)
  expect(isOfferKept('sell', toOffer('100', '200', 0), toOffer('100', '199', 50_000))).toBe(false)
})
