import { zeroAddress } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { type FeePolicy, toFeePolicyBody } from '#shared/fees/feePolicy.ts'
import { computeExecuted } from '#shared/orders/computeRemaining.ts'
import type { SolveRequestBody } from '#shared/solvers/driverApi.ts'
import { computeCertainty } from './computeCertainty.ts'
import { computePreInteractions } from './computePreInteractions.ts'
import { toQuotedAmounts } from './toQuotedAmounts.ts'

/**
 * Converts an order to its form for solvers. Without a quote it has that of `toQuotedAmounts`, with the zero address as
 * solver.
 * @param feePolicies in the order of application
 */
export const toAuctionOrder = (
  candidate: Candidate,
  feePolicies: readonly FeePolicy[],
): SolveRequestBody['orders'][number] => {
  const { order, quote, funding } = candidate
  const { flashloan, wrappers = [] } = funding ?? {}
  const { sellAmount, buyAmount } = toQuotedAmounts(candidate)
  const solver = quote?.solver ?? zeroAddress
  return {
    uid: order.uid,
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    sellAmount: order.sellAmount.toString(),
    buyAmount: order.buyAmount.toString(),
    feeAmount: order.feeAmount.toString(),
    protocolFees: feePolicies.map((policy) => toFeePolicyBody(policy, solver)),
    created: Math.floor(order.createdAt.getTime() / 1000),
    validTo: order.validTo,
    ...(order.userValidTo === null ? {} : { userValidTo: order.userValidTo }),
    kind: order.kind,
    receiver: order.receiver,
    owner: order.owner,
    partiallyFillable: order.partiallyFillable,
    executed: computeExecuted(order).toString(),
    preInteractions: computePreInteractions(order),
    postInteractions: order.postInteractions,
    sellTokenBalance: order.sellTokenBalance,
    buyTokenBalance: order.buyTokenBalance,
    class: order.feeAmount === 0n ? 'limit' : 'market',
    appData: order.appDataHash,
    signingScheme: order.signingScheme,
    signature: order.signature,
    quote: {
      sellAmount: sellAmount.toString(),
      buyAmount: buyAmount.toString(),
      fee: (quote?.feeAmount ?? 0n).toString(),
      solver,
    },
    ...(flashloan ? { flashloanHint: { ...flashloan, amount: flashloan.amount.toString() } } : {}),
    ...(wrappers.length > 0 ? { wrappers } : {}),
    ...(computeCertainty(candidate) !== 'certain' ? { settleAlone: true } : {}),
  }
}
