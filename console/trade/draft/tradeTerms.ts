/** Type of a signed order. */
export type OrderType = 'market' | 'limit'

/** Terms of a trade as typed and as in the URL. */
export type TradeTerms = {
  /** addresses, lower case; empty: not chosen */
  sell: string
  buy: string
  /** which amount is exact */
  kind: 'sell' | 'buy'
  /** of the exact side, in whole tokens */
  amount: string
  type: OrderType | 'twap'
  /** of a limit order */
  price: string
  /** prices of the page are per whole token of this side; auto: of the dear one */
  per: 'sell' | 'buy' | 'auto'
  /** percent; empty: the suggestion for the pair */
  slippage: string
  /** seconds; null: the default of the type */
  validFor: number | null
  isPartiallyFillable: boolean
  /** number of parts of a TWAP; empty: the default */
  parts: string
  /** seconds from part to part of a TWAP; null: the default */
  every: number | null
  /** price protection of a TWAP, percent; empty: the default */
  protection: string
  /** empty: the owner */
  receiver: string
  /** UID of the order shown below; empty: none */
  order: string
  /** UID of the open order that this one replaces; empty: none */
  replaces: string
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/
const uidPattern = /^0x[0-9a-fA-F]{112}$/
const maxTextLength = 100

/** @param query of the URL, untrusted */
export const readTradeTerms = (query: Record<string, string | undefined>): TradeTerms => {
  const readText = (name: string) => (query[name] ?? '').slice(0, maxTextLength)
  const readMatch = (name: string, pattern: RegExp) => (pattern.test(query[name] ?? '') ? (query[name] ?? '') : '')
  // a price of an older link is per sell token
  const isPriced = query.type === 'limit' && readText('price') !== ''
  const readSeconds = (name: string) => Number(readMatch(name, /^\d{1,9}$/)) || null
  const type = query.type === 'limit' || query.type === 'twap' ? query.type : 'market'
  const kind = query.kind === 'buy' ? 'buy' : 'sell'
  return {
    sell: readMatch('sell', addressPattern).toLowerCase(),
    buy: readMatch('buy', addressPattern).toLowerCase(),
    // a TWAP sells exact amounts, and the amount of another side is not one of them
    kind: type === 'twap' ? 'sell' : kind,
    amount: type === 'twap' && kind === 'buy' ? '' : readText('amount'),
    type,
    price: readText('price'),
    per: query.per === 'buy' || query.per === 'sell' ? query.per : isPriced ? 'sell' : 'auto',
    slippage: readText('slippage'),
    validFor: readSeconds('validFor'),
    isPartiallyFillable: query.partial === '1',
    parts: readText('parts'),
    every: readSeconds('every'),
    protection: readText('protection'),
    receiver: readText('receiver'),
    order: readMatch('order', uidPattern).toLowerCase(),
    replaces: readMatch('replaces', uidPattern).toLowerCase(),
  }
}

/** The query for `readTradeTerms`, without default values. */
export const toTradeQuery = (network: string, terms: TradeTerms): string => {
  const {
    sell,
    buy,
    kind,
    amount,
    type,
    price,
    per,
    slippage,
    validFor,
    isPartiallyFillable,
    parts,
    every,
    protection,
    receiver,
    order,
    replaces,
  } = terms
  const entries: [string, string][] = [
    ['network', network],
    ['sell', sell],
    ['buy', buy],
    ['kind', kind],
    ['amount', amount],
    ['type', type],
    ['price', price],
    ['per', per === 'auto' ? '' : per],
    ['slippage', slippage],
    ['validFor', validFor === null ? '' : String(validFor)],
    ['partial', isPartiallyFillable ? '1' : ''],
    ['parts', parts],
    ['every', every === null ? '' : String(every)],
    ['protection', protection],
    ['receiver', receiver],
    ['order', order],
    ['replaces', replaces],
  ]
  return new URLSearchParams(entries.filter(([, value]) => value !== '')).toString()
}
