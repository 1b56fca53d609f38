import type { Network } from '../../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import type { TradeTerms } from './tradeTerms.ts'

/**
 * The exact amount and the price stay with their tokens. The native token is sold by its exact amount only; for an
 * exact amount of another one its wrapped token is sold.
 */
export const toSwapped = ({ sell, buy, kind, per }: TradeTerms, { wrappedNative }: Network): Partial<TradeTerms> => ({
  sell: buy === nativeSentinel && kind === 'sell' && sell !== wrappedNative ? wrappedNative : buy,
  buy: sell,
  kind: kind === 'sell' ? 'buy' : 'sell',
  per: per === 'auto' ? per : per === 'sell' ? 'buy' : 'sell',
})
