import type { components } from '../../api/openapi.d.ts'
import type { Amounts } from '../draft/computeLimit.ts'

export type Quote = components['schemas']['QuoteResponse']

/** Both amounts of a step of a quote's ladder, atoms. */
export const toAmounts = ({ sellAmount, buyAmount }: { sellAmount: string; buyAmount: string }): Amounts => ({
  sellAmount: BigInt(sellAmount),
  buyAmount: BigInt(buyAmount),
})

/** Amounts of a trade at the quoted price after all fees. */
export const toExpected = ({ amounts }: Pick<Quote, 'amounts'>): Amounts => toAmounts(amounts.afterPartnerFee)
