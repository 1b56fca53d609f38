import { type Address, decodeFunctionData, type Hex } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Order } from '#shared/signing/order.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'

/** One trade of a settlement: the order as it was signed and what the prices give it. */
export interface DecodedTrade {
  order: Order
  scheme: SigningScheme
  /** as the contract reads it: r ‖ s ‖ v, or the owner's 20 bytes and, with `eip1271`, its signature */
  signature: Hex
  /** sell token atoms that leave the owner, fees included */
  executedSell: bigint
  /** buy token atoms that reach the receiver */
  executedBuy: bigint
  /** sell token atoms that the owner pays more than at the uniform prices: network and protocol fees, not the signed fee */
  feeInSellToken: bigint
}

export interface DecodedSettlement {
  /** undefined when nothing is appended to the call */
  auctionId: bigint | undefined
  /** in the order of the `Trade` events that the call emits */
  trades: DecodedTrade[]
}

const idBytes = 8
const schemes: readonly SigningScheme[] = ['eip712', 'ethsign', 'eip1271', 'presign']

/**
 * What a call of `settle` did, from its calldata alone.
 *
 * Prices: a trade's own prices are those its token indices point at; the uniform price of a token is the one at the token's
 * first occurrence. Executed amounts follow from the own prices as in the contract (`GPv2Settlement.computeTradeExecution`).
 * The fee is the difference to the uniform prices,
 *     fee = executedSell − signed fee − ⌊ executedBuy · uniform(buy) / uniform(sell) ⌋        in sell token atoms
 * For a buy order that is exactly its surplus at uniform prices minus its surplus at its own. For a sell order it is the same
 * difference, taken in the sell token without first rounding it to atoms of the buy token. A settlement that pays an order
 * more than the uniform prices do charges it no fee.
 *
 * Auction id: eight bytes, big-endian, behind the arguments, which are a multiple of 32 bytes long.
 * @returns undefined when the calldata is no call of `settle` or one that the contract would refuse to compute
 */
export const decodeSettlement = (calldata: Hex): DecodedSettlement | undefined => {
  const argumentBytes = (calldata.length - 2) / 2 - 4
  const hasId = argumentBytes % 32 === idBytes
  const call = hasId ? (calldata.slice(0, -2 * idBytes) as Hex) : calldata
  const args = decodeCall(call)
  if (!args) return undefined
  const [tokens, clearingPrices, encodedTrades] = args
  const uniformPrices = new Map<string, bigint>()
  for (const [i, token] of tokens.entries()) {
    const price = clearingPrices[i]
    if (price !== undefined && !uniformPrices.has(token)) uniformPrices.set(token, price)
  }
  const trades: DecodedTrade[] = []
  for (const trade of encodedTrades) {
    const sellToken = tokens[Number(trade.sellTokenIndex)]
    const buyToken = tokens[Number(trade.buyTokenIndex)]
    const sellPrice = clearingPrices[Number(trade.sellTokenIndex)]
    const buyPrice = clearingPrices[Number(trade.buyTokenIndex)]
    if (!sellToken || !buyToken || !sellPrice || !buyPrice) return undefined
    const { kind, partiallyFillable, sellTokenBalance, buyTokenBalance, scheme } = decodeTradeFlags(trade.flags)
    const order: Order = {
      sellToken,
      buyToken,
      receiver: trade.receiver.toLowerCase() as Address,
      sellAmount: trade.sellAmount,
      buyAmount: trade.buyAmount,
      validTo: trade.validTo,
      appDataHash: trade.appData,
      feeAmount: trade.feeAmount,
      kind,
      partiallyFillable,
      sellTokenBalance,
      buyTokenBalance,
    }
    const exact = kind === 'sell' ? trade.sellAmount : trade.buyAmount
    if (exact === 0n) return undefined
    const executed = partiallyFillable ? trade.executedAmount : exact
    const signedFee = computeSignedFee(order, executed)
    const executedBuy = kind === 'sell' ? mulDivCeil(executed, sellPrice, buyPrice) : executed
    const sold = kind === 'sell' ? executed : mulDivFloor(executed, buyPrice, sellPrice)
    const uniformSell = mulDivFloor(
      executedBuy,
      uniformPrices.get(buyToken) ?? buyPrice,
      uniformPrices.get(sellToken) || sellPrice,
    )
    const executedSell = sold + signedFee
    const feeInSellToken = sold > uniformSell ? sold - uniformSell : 0n
    trades.push({ order, scheme, signature: trade.signature, executedSell, executedBuy, feeInSellToken })
  }
  return { auctionId: hasId ? BigInt(`0x${calldata.slice(-2 * idBytes)}`) : undefined, trades }
}

const decodeCall = (data: Hex) => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: settlementAbi, data })
    if (functionName !== 'settle') return undefined
    return [args[0].map((token) => token.toLowerCase() as Address), args[1], args[2]] as const
  } catch {
    return undefined
  }
}

/** The inverse of `encodeTradeFlags`; as in the contract, sell balance 1 means erc20 too. */
const decodeTradeFlags = (
  flags: bigint,
): Pick<Order, 'kind' | 'partiallyFillable' | 'sellTokenBalance' | 'buyTokenBalance'> & { scheme: SigningScheme } => ({
  kind: (flags & 1n) === 0n ? 'sell' : 'buy',
  partiallyFillable: (flags & 2n) !== 0n,
  sellTokenBalance: (flags & 8n) === 0n ? 'erc20' : (flags & 4n) === 0n ? 'external' : 'internal',
  buyTokenBalance: (flags & 16n) === 0n ? 'erc20' : 'internal',
  scheme: schemes[Number((flags >> 5n) & 3n)] ?? 'eip712',
})
