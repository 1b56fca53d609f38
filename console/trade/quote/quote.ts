import type { components } from '../../api/openapi.d.ts'
import type { Amounts } from '../draft/computeLimit.ts'

export type Quote = components['schemas']['QuoteResponse']

/** Both amounts of a step of a quote's ladder, atoms. */
export const toAmounts = ({ sellAmount, buyAmount }: { sellAmount: string; buyAmount: string }): Amounts => ({
  sellAmount: BigInt(sellAmount),
  buyAmount: BigInt(buyAmount),
})

/** What a trade at the quoted price gives and takes once all fees are paid. */
export const toExpected = ({ amounts }: Pick<Quote, 'amounts'>): Amounts => toAmounts(amounts.afterPartnerFee)
