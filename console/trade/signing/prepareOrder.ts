import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Amounts } from '../draft/computeLimit.ts'
import type { Draft } from '../draft/draft.ts'
import { isFresh } from '../quote/isFresh.ts'
import { toAmounts } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'
import { buildOrder, type OrderTypedData } from './buildOrder.ts'
import { checkOrder } from './checkOrder.ts'

type Place = {
  network: Network
  /** of the displayed quote; null without one */
  newest: Offer | null
  /** document of the quote request */
  appData: string
}

/** The order passed to the wallet, independent of later changes of the form. */
export type SignedTerms = { draft: Draft; signed: Amounts }

type Prepared = { order: OrderTypedData; quoteId: number | null; terms: SignedTerms }

const expired = 'The quote has expired. Nothing was signed; use the next one.'

const describeDifference = (fields: string[]): string =>
  `Nothing was signed: the order from the service differs from the displayed one (${fields.join(', ')}). Contact its operators.`

/** The displayed order, checked against the displayed terms, or why it cannot be signed. */
export const prepareOrder = (draft: Draft, { network, newest, appData }: Place): Prepared | { why: string } => {
  // the offer may expire between the last clock update and the click
  const offer = newest && isFresh(newest, Date.now()) ? newest : null
  if (draft.type === 'market' && !offer) return { why: expired }
  const now = Math.floor(Date.now() / 1_000)
  const quote = offer?.quote ?? null
  const order = buildOrder(draft, { network, quote, now, appData })
  const validFrom = draft.type === 'market' && offer ? offer.requestedAt : now
  const differing = order ? checkOrder(order, { network, draft, quote, validFrom, appData }) : ['the whole order']
  if (!order || differing.length > 0) return { why: describeDifference(differing) }
  const { sellAmount, buyAmount } = order.message
  return { order, quoteId: quote?.id ?? null, terms: { draft, signed: toAmounts({ sellAmount, buyAmount }) } }
}
