import { type Address, concatHex, type Hex, numberToHex } from 'viem'
import { removeSignedFee } from '../amounts/removeSignedFee.ts'
import { createEncoder } from '../chain/calls/createEncoder.ts'
import { settlementAbi } from '../chain/settlementAbi.ts'
import { encodeTradeFlags } from '../signing/encodeTradeFlags.ts'
import type { Order } from '../signing/order.ts'
import type { SigningScheme } from '../signing/signingScheme.ts'
import { toContractSignature } from '../signing/toContractSignature.ts'

const encodeSettle = createEncoder(settlementAbi, 'settle')

/** A call that the settlement contract makes. `value` is wei. */
export interface Interaction {
  target: Address
  value: bigint
  callData: Hex
}

/** A signed order and its executed amounts. */
export interface SettlementTrade {
  order: Order
  owner: Address
  scheme: SigningScheme
  signature: Hex
  /** sell token atoms that leave the owner, all fees included */
  executedSell: bigint
  /** buy token atoms that reach the receiver */
  executedBuy: bigint
}

export interface Settlement {
  auctionId: bigint
  /** one price for each traded token: in · price(sell) = out · price(buy) without fees */
  uniformPrices: ReadonlyMap<Address, bigint>
  trades: readonly SettlementTrade[]
  /** run before the sell tokens come in, between, and after the buy tokens are paid out */
  interactions: { pre: readonly Interaction[]; intra: readonly Interaction[]; post: readonly Interaction[] }
}

/**
 * Calldata of a settlement: `settle(tokens, clearingPrices, trades, interactions)` and after it the auction id as eight
 * bytes, big-endian. With n tokens traded, `tokens` and `clearingPrices` are
 *
 * | Index | Token | Price |
 * |---|---|---|
 * | 0 … n − 1 | each traded token once | uniform, before fees |
 * | n + 2i | sell token of trade i | its executedBuy |
 * | n + 2i + 1 | buy token of trade i | its executedSell without the signed fee |
 *
 * Trade i points at its own two entries. The contract divides as
 *     sell: executedBuy = ⌈sold · price(sell) / price(buy)⌉    buy: sold = ⌊executedBuy · price(buy) / price(sell)⌋
 * so that these prices give the executed amounts to the atom, and adds the signed fee to `sold`. The difference
 * between the own and the uniform prices is the order's fee (`decodeSettlement`).
 * @throws RangeError when the auction id exceeds a uint64, or a signature does not match its scheme
 */
export const encodeSettlement = ({ auctionId, uniformPrices, trades, interactions }: Settlement): Hex => {
  const tokens = [...uniformPrices.keys()]
  const clearingPrices = [...uniformPrices.values()]
  const encodedTrades = trades.map(({ order, owner, scheme, signature, executedSell, executedBuy }) => {
    const sellTokenIndex = BigInt(tokens.push(order.sellToken) - 1)
    const buyTokenIndex = BigInt(tokens.push(order.buyToken) - 1)
    const sold = removeSignedFee(order, { executedSell, executedBuy })
    clearingPrices.push(executedBuy, sold)
    return {
      sellTokenIndex,
      buyTokenIndex,
      receiver: order.receiver,
      sellAmount: order.sellAmount,
      buyAmount: order.buyAmount,
      validTo: order.validTo,
      appData: order.appDataHash,
      feeAmount: order.feeAmount,
      flags: encodeTradeFlags(order, scheme),
      executedAmount: order.kind === 'sell' ? sold : executedBuy,
      signature: toContractSignature(scheme, owner, signature),
    }
  })
  const call = encodeSettle([
    tokens,
    clearingPrices,
    encodedTrades,
    [[...interactions.pre], [...interactions.intra], [...interactions.post]],
  ])
  if (auctionId < 0n || auctionId >= 2n ** 64n) throw new RangeError(`auctionId: ${auctionId} exceeds a uint64`)
  return concatHex([call, numberToHex(auctionId, { size: 8 })])
}
