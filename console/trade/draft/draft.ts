import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import { toTyped } from '../../ui/numbers.ts'
import { invert, maxRatioLength, parseRatio, type Ratio } from '../../ui/ratio/parseRatio.ts'
import type { NamedAddress } from '../../wallet/useNamedAddress.ts'
import { type Amounts, computeLimit } from './computeLimit.ts'
import { maxUint256, parseAmount } from './parseAmount.ts'
import { readReceiver } from './readReceiver.ts'
import { readSlippage } from './readSlippage.ts'
import type { TradablePair, TradableToken } from './tradableToken.ts'
import type { OrderType, TradeTerms } from './tradeTerms.ts'
import { computeValidFor } from './validity.ts'

/** Interpreted terms; missing values are undefined, invalid ones have a fault. */
export type Draft = {
  /** a TWAP is read as a market order of its whole amount: `buildTwap.ts` */
  type: OrderType
  kind: TradeTerms['kind']
  sell: TradableToken | undefined
  buy: TradableToken | undefined
  /** atoms of the exact side */
  amount: bigint | undefined
  per: TradeTerms['per']
  /** of a limit order: buy tokens for one sell token, whole ones */
  price: Ratio | undefined
  /** signed amounts of a limit order */
  limit: Amounts | undefined
  /** basis points of a market order; auto: the suggestion of its quote */
  slippageBps: number | 'auto'
  /** seconds */
  validFor: number
  isPartiallyFillable: boolean
  /** lower case; null: the owner */
  receiver: string | null
  faults: { [Field in 'sell' | 'buy' | 'amount' | 'price' | 'slippage' | 'receiver']?: string | undefined }
}

type Known = {
  sell: TradableToken | undefined
  buy: TradableToken | undefined
  /** address of the wrapped native token */
  wrappedNative: string
  /** address of the recipient's name */
  named?: NamedAddress
}

/** The terms as typed, with the tokens that they name. */
export const readDraft = (terms: TradeTerms, { sell, buy, wrappedNative, named = { state: 'none' } }: Known): Draft => {
  const { kind } = terms
  const type = terms.type === 'limit' ? 'limit' : 'market'
  const exact = kind === 'sell' ? sell : buy
  const { atoms: amount, fault: amountFault } = exact ? parseAmount(terms.amount, exact.decimals) : {}
  const price = type === 'limit' ? readPrice(terms) : undefined
  const limit = sell && buy && price && amount !== undefined ? readLimit(kind, amount, price, { sell, buy }) : {}
  // its price protection has a field of its own
  const slippage = terms.type === 'twap' ? {} : readSlippage(terms.slippage)
  const receiver = readReceiver(terms.receiver, named)
  return {
    type,
    kind,
    sell,
    buy,
    amount,
    per: terms.per,
    price,
    limit: limit.amounts,
    slippageBps: slippage.bps ?? 'auto',
    validFor: computeValidFor({ type, validFor: terms.validFor }),
    isPartiallyFillable: terms.isPartiallyFillable && terms.type !== 'twap',
    receiver: receiver.address ?? null,
    faults: {
      sell:
        terms.sell === nativeSentinel && kind === 'buy' && terms.buy !== wrappedNative
          ? 'Enter the amount to sell: the native token is sold by its exact amount.'
          : undefined,
      buy: terms.buy !== '' && terms.buy === terms.sell ? 'Choose two different tokens.' : undefined,
      amount: amountFault,
      price: type === 'limit' && terms.price !== '' && !price ? priceFault : limit.fault,
      slippage: type === 'market' ? slippage.fault : undefined,
      receiver: receiver.fault,
    },
  }
}

const readPrice = ({ price, per }: TradeTerms): Ratio | undefined => {
  const read = parseRatio(price)
  return read && per === 'buy' ? invert(read) : read
}

const priceFault = `Enter a price, such as ${toTyped('2950.5')}, of at most ${maxRatioLength} characters.`

/** A limit with a zero amount is incomplete. */
const readLimit = (
  kind: 'sell' | 'buy',
  amount: bigint,
  price: Ratio,
  { sell, buy }: TradablePair,
): { amounts?: Amounts; fault?: string } => {
  const amounts = computeLimit({ kind, amount, price, decimals: { sell: sell.decimals, buy: buy.decimals } })
  if (amounts.sellAmount > maxUint256 || amounts.buyAmount > maxUint256)
    return { fault: 'At this price the other amount is too large.' }
  return amounts.sellAmount > 0n && amounts.buyAmount > 0n ? { amounts } : {}
}
