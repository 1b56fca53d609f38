import { type Address, decodeFunctionData, type Hex } from 'viem'
import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { Order } from '#shared/signing/order.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'

/** One trade of a settlement: the signed order and its executed amounts. */
export interface DecodedTrade {
  order: Order
  scheme: SigningScheme
  /** in the contract's format: r ‖ s ‖ v, or the owner's 20 bytes and, with `eip1271`, its signature */
  signature: Hex
  /** sell token atoms that leave the owner, fees included */
  executedSell: bigint
  /** buy token atoms that reach the receiver */
  executedBuy: bigint
  /** sell token atoms paid in addition to the uniform prices: network and protocol fees, not the signed fee */
  feeInSellToken: bigint
}

export interface DecodedSettlement {
  /** undefined without appended bytes */
  auctionId: bigint | undefined
  /** in the order of the call's `Trade` events */
  trades: DecodedTrade[]
}

const idBytes = 8
const schemes: readonly SigningScheme[] = ['eip712', 'ethsign', 'eip1271', 'presign']

/**
 * Decodes the trades and fees of a `settle` call from its calldata.
 *
 * Prices: a trade's own prices are those at its token indices; the uniform price of a token is the first one that no
 * trade names. Executed amounts follow from the own prices as in the contract (`GPv2Settlement.computeTradeExecution`).
 * The fee is the difference to the uniform prices,
 *     fee = executedSell − signed fee − ⌊ executedBuy · uniform(buy) / uniform(sell) ⌋        in sell token atoms
 * For a buy order this is exactly its surplus at uniform prices minus its surplus at its own prices. For a sell order
 * it is the same difference in the sell token, without intermediate rounding to buy token atoms. The fee is 0 when a
 * settlement pays an order more than the uniform prices, or has none for one of its tokens.
 *
 * Auction id: eight bytes, big-endian, after the arguments, whose length is a multiple of 32 bytes.
 * @returns undefined when the calldata is not a `settle` call, or the contract would revert on it
 */
export const decodeSettlement = (calldata: Hex): DecodedSettlement | undefined => {
  const argumentBytes = (calldata.length - 2) / 2 - 4
  const hasId = argumentBytes % 32 === idBytes
  const call = hasId ? (calldata.slice(0, -2 * idBytes) as Hex) : calldata
  const args = decodeCall(call)
  if (!args) return undefined
  const [tokens, clearingPrices, encodedTrades] = args
  const own = new Set(encodedTrades.flatMap(({ sellTokenIndex, buyTokenIndex }) => [sellTokenIndex, buyTokenIndex]))
  const uniformPrices = new Map<string, bigint>()
  for (const [i, token] of tokens.entries()) {
    const price = clearingPrices[i]
    if (price && !own.has(BigInt(i)) && !uniformPrices.has(token)) uniformPrices.set(token, price)
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
    const uniformSellPrice = uniformPrices.get(sellToken)
    const uniformBuyPrice = uniformPrices.get(buyToken)
    const uniformSell =
      uniformSellPrice && uniformBuyPrice ? mulDivFloor(executedBuy, uniformBuyPrice, uniformSellPrice) : sold
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
