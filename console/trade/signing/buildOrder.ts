import { keccak256, stringToHex, zeroAddress } from 'viem'
import { buildDomain, orderTypes } from '../../actions/orderTypes.ts'
import type { components } from '../../api/openapi.d.ts'
import type { Draft } from '../draft/draft.ts'
import { appDataDocument } from '../quote/appData.ts'
import type { Quote } from '../quote/quote.ts'

/** The argument of eth_signTypedData_v4. */
export type OrderTypedData = NonNullable<components['schemas']['Signable']>['typedData']

type Place = {
  network: Pick<components['schemas']['ServedNetwork'], 'chainId' | 'settlementContract'>
  /** null without an offer */
  quote: Quote | null
  /** Unix seconds */
  now: number
  /** document of a limit order */
  appData?: string
}

/**
 * The order to sign: a market order with the amounts of the quote, or a limit order, which needs no quote and whose
 * validity begins now.
 * @returns undefined when there is nothing to sign
 */
export const buildOrder = (draft: Draft, place: Place): OrderTypedData | undefined => {
  if (draft.type === 'limit') return buildLimitOrder(draft, place)
  const signable = place.quote?.signable
  if (!signable) return undefined
  const { typedData } = signable
  return { ...typedData, message: { ...typedData.message, partiallyFillable: draft.isPartiallyFillable } }
}

/** Hash by which an order names its app data. */
export const toAppDataHash = (document: string) => keccak256(stringToHex(document))

export const appDataHash = toAppDataHash(appDataDocument)

const buildLimitOrder = (
  draft: Draft,
  { network, now, appData = appDataDocument }: Place,
): OrderTypedData | undefined => {
  const { sell, buy, limit, kind, receiver, isPartiallyFillable, validFor } = draft
  if (!sell || !buy || !limit) return undefined
  return {
    domain: buildDomain(network),
    types: orderTypes,
    primaryType: 'Order',
    message: {
      sellToken: sell.address,
      buyToken: buy.address,
      receiver: receiver ?? zeroAddress,
      sellAmount: limit.sellAmount.toString(),
      buyAmount: limit.buyAmount.toString(),
      validTo: now + validFor,
      appData: toAppDataHash(appData),
      feeAmount: '0',
      kind,
      partiallyFillable: isPartiallyFillable,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    },
  }
}
