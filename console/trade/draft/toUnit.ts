import { toPlainRatio } from '../../ui/ratio/formatRatio.ts'
import { invert } from '../../ui/ratio/parseRatio.ts'
import type { Draft } from './draft.ts'
import type { TradeTerms } from './tradeTerms.ts'

/** Switching the unit of a price leaves the signed amount, up to rounding of single atoms. */
const exactDigits = 18

/** Prices per whole token of a side; the limit price, if any, stays the same in the new unit. */
export const toUnit = (per: 'sell' | 'buy', { price }: Pick<Draft, 'price'>): Partial<TradeTerms> => ({
  per,
  ...(price && { price: toPlainRatio(per === 'sell' ? price : invert(price), exactDigits) }),
})
