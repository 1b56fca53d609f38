import type { NewQuote } from '#schema/queries/quotes/quotes.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { Network } from '#shared/networks.ts'
import type { Quote } from '../amounts/buildQuote.ts'
import { computeExpiration, toQuoteKind } from '../request/computeExpiration.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'

/**
 * Database row of a quote. Its amounts are those before any fee: a sell order sells `sellAmount + feeAmount` of the response,
 * also of a quote for `sellAmountAfterFee`. The offered amounts are those of the response, for orders that sign it unchanged.
 */
export const buildNewQuote = (
  { network, now }: { network: Network; now: () => number },
  { request, receivedAt }: PreparedRequest,
  { estimate, feeAmount, ladder, offered, gas, gasPrice, sellTokenPrice }: Quote,
): NewQuote => {
  const quoteKind = toQuoteKind(request)
  return {
    chainId: network.chainId,
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    sellAmount: ladder.beforeAllFees.sellAmount,
    // of a quote for `sellAmountAfterFee` it is more than the solver's
    buyAmount: minOf(ladder.beforeAllFees.buyAmount, maxUint256),
    kind: request.kind,
    quoteKind,
    gasAmount: gas,
    gasPrice,
    sellTokenPrice,
    feeAmount,
    offeredSellAmount: offered.sellAmount,
    offeredBuyAmount: offered.buyAmount,
    solver: estimate.solver.address,
    verified: estimate.verification.status === 'passed',
    metadata: {
      version: '1.0',
      interactions: estimate.interactions.map(toText),
      preInteractions: estimate.preInteractions.map(toText),
      jitOrders: [],
    },
    elapsedMs: Math.max(0, now() - receivedAt),
    expiresAt: computeExpiration(quoteKind, now()),
  }
}

const toText = ({ value, ...call }: Quote['estimate']['interactions'][number]) => ({
  ...call,
  value: value.toString(),
})
