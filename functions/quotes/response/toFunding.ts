import type { Hex } from 'viem'
import { computeFunding, type FundingFacts } from '#shared/funding/computeFunding.ts'
import type { Funding } from '#shared/funding/fundingSchema.ts'
import type { Network } from '#shared/networks.ts'
import type { QuoteRequest } from '../request/quoteRequest.ts'
import type { Signable } from './toSignable.ts'

/** @returns the funding of the order to sign; null without such an order, and without facts */
export const toFunding = (
  network: Network,
  { from: owner, sellToken, signingScheme }: QuoteRequest,
  signable: Signable | null,
  facts: FundingFacts | undefined,
): Funding | null => {
  if (!signable || !facts) return null
  const { order, orderUid } = signable
  const needed = BigInt(order.sellAmount)
  const funded = { owner, sellToken, needed, signingScheme, validTo: order.validTo, uid: orderUid as Hex }
  return computeFunding(network, funded, facts)
}
