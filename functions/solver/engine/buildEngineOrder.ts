import type { Address } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { checkUint256 } from '#shared/amounts/uint256.ts'
import { wrapToken } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { toOwnerTokenKey } from '../batches/toOwnerTokenKey.ts'
import { ignoreOverflow } from '../fills/ignoreOverflow.ts'
import { computeGrossLimit } from './computeGrossLimit.ts'
import type { EngineOrderBody } from './engineApi.ts'

/**
 * An order as an engine sees it: what can be traded now, at a limit that leaves room for protocol fees.
 * @param funds available funds by `toOwnerTokenKey`; unbounded without an entry
 * @returns undefined when nothing can be traded, or an amount is no uint256
 */
export const buildEngineOrder = (
  order: AuctionOrder,
  funds: ReadonlyMap<string, bigint>,
  wrappedNative: Address,
): EngineOrderBody | undefined => {
  const available = ignoreOverflow(() => computeAvailable(order, funds))
  if (!available) return undefined
  const { kind, receiver } = order
  return {
    uid: order.uid,
    sellToken: order.sellToken,
    buyToken: wrapToken(order.buyToken, wrappedNative),
    sellAmount: String(available.sell),
    fullSellAmount: String(order.sellAmount),
    buyAmount: String(available.buy),
    fullBuyAmount: String(order.buyAmount),
    validTo: order.validTo,
    kind,
    ...(receiver === null ? {} : { receiver }),
    owner: order.owner,
    partiallyFillable: order.partiallyFillable,
    preInteractions: order.preInteractions.map(toCallBody),
    postInteractions: order.postInteractions.map(toCallBody),
    sellTokenSource: order.sellTokenBalance,
    buyTokenDestination: order.buyTokenBalance,
    class: order.class,
    appData: order.appData,
    signingScheme: order.signingScheme,
    signature: order.signature,
  }
}

const toCallBody = ({ target, value, callData }: AuctionOrder['preInteractions'][number]) => ({
  target,
  value: String(value),
  callData,
})

/** The unfilled part that the owner can pay for, without the signed fee; limits round in favour of the owner. */
const computeAvailable = (order: AuctionOrder, funds: ReadonlyMap<string, bigint>) => {
  const { kind, sellAmount, buyAmount, executed, partiallyFillable, protocolFees } = order
  const exact = kind === 'sell' ? sellAmount : buyAmount
  const remaining = exact - executed
  const owned = funds.get(toOwnerTokenKey(order.owner, order.sellToken))
  const mostSell = kind === 'sell' ? remaining : mulDivFloor(sellAmount, remaining, buyAmount)
  const mostPaid = mostSell + computeSignedFee(order, remaining)
  const isShort = owned !== undefined && owned < mostPaid
  if (isShort && !partiallyFillable && kind === 'sell') return undefined
  const part = isShort && partiallyFillable ? minOf(remaining, mulDivFloor(remaining, owned, mostPaid)) : remaining
  if (part <= 0n) return undefined
  const sell = kind === 'sell' ? part : mulDivFloor(sellAmount, part, buyAmount)
  const buy = kind === 'buy' ? part : mulDivCeil(buyAmount, part, sellAmount)
  const terms = { kind, limitSell: sellAmount, limitBuy: buyAmount, availableSell: sell, availableBuy: buy }
  // an engine refuses the whole auction for an amount that it cannot read
  const limit = checkUint256(computeGrossLimit(terms, protocolFees), 'limit before fees')
  return kind === 'sell' ? { sell, buy: limit } : { sell: limit, buy }
}
