import { expect, test } from 'vitest'
import { isOfferRetained } from './isOfferRetained.ts'
import type { Quote } from './quote.ts'

/** Only the fields of an offer that are read. */
const toOffer = (sellAmount: string, buyAmount: string, receivedAt: number) => ({
  quote: { amounts: { afterPartnerFee: { sellAmount, buyAmount } } } as unknown as Quote,
  receivedAt,
})

test('retains a better offer of the previous round', () => {
  expect(isOfferRetained('sell', toOffer('100', '200', 0), toOffer('100', '199', 20_000))).toBe(true)
  expect(isOfferRetained('buy', toOffer('100', '200', 0), toOffer('101', '200', 20_000))).toBe(true)
})

test('replaces it by an equal or better one, or after its end', () => {
  expect(isOfferRetained('sell', null, toOffer('100', '1', 0))).toBe(false)
  expect(isOfferRetained('sell', toOffer('100', '200', 0), toOffer('100', '200', 20_000))).toBe(false)
  expect(isOfferRetained('sell', toOffer('100', '200', 0), toOffer('100', '201', 20_000))).toBe(false)
  expect(isOfferRetained('buy', toOffer('100', '200', 0), toOffer('99', '200', 20_000))).toBe(false)
  expect(isOfferRetained('sell', toOffer('100', '200', 0), toOffer('100', '199', 50_000))).toBe(false)
})
