import { zeroAddress } from 'viem'
import { buildDomain, orderTypes } from '../../actions/orderTypes.ts'
import type { components } from '../../api/openapi.d.ts'
import type { Draft } from '../draft/draft.ts'
import { appDataDocument } from '../quote/appData.ts'
import type { Quote } from '../quote/quote.ts'
import { type OrderTypedData, toAppDataHash } from './buildOrder.ts'
import { computeSignedAmounts } from './computeSignedAmounts.ts'

type Shown = {
  network: Pick<components['schemas']['ServedNetwork'], 'chainId' | 'settlementContract'>
  draft: Draft
  /** null for a limit order without an offer */
  quote: Quote | null
  /** start of the displayed validity: the time of the quote request, or now for a limit order; Unix seconds */
  validFrom: number
  /** document of the quote request */
  appData?: string
}

/**
 * Compares the order to be signed with the displayed terms, independently of the quote. The displayed terms stay until
 * the wallet responds (`PostingState`), so that only they can be signed.
 * @returns names of signed fields that differ; empty when all match
 */
export const checkOrder = ({ domain, types, primaryType, message }: OrderTypedData, shown: Shown): string[] => {
  const { network, draft, quote, appData = appDataDocument } = shown
  const amounts = computeSignedAmounts(draft, quote)
  const expected: Record<string, unknown> = {
    ...buildDomain(network),
    primaryType: 'Order',
    types: toText(orderTypes.Order),
    sellToken: draft.sell?.address,
    buyToken: draft.buy?.address,
    receiver: draft.receiver ?? zeroAddress,
    sellAmount: amounts?.sellAmount.toString(),
    buyAmount: amounts?.buyAmount.toString(),
    validTo: shown.validFrom + draft.validFor,
    appData: toAppDataHash(appData),
    feeAmount: '0',
    kind: draft.kind,
    partiallyFillable: draft.isPartiallyFillable,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
  const signed: Record<string, unknown> = { ...domain, ...message, primaryType, types: toText(types.Order) }
  const fields = new Set([...Object.keys(expected), ...Object.keys(signed)])
  return [...fields].filter((field) => signed[field] !== expected[field])
}

const toText = (members: { name: string; type: string }[]): string =>
  members.map(({ name, type }) => `${type} ${name}`).join()
