import type { Address } from 'viem'
import { describeError } from '../http/describeError.ts'
import { logEntry } from '../logging/logEntry.ts'
import type { Network } from '../networks.ts'
import { computeFeeRoom } from './computeFeeRoom.ts'
import { computePriceRoom, type SlippageBounds, type TokenMarket } from './computeSlippage.ts'
import type { SlippageRoom } from './computeSuggestedSlippage.ts'
import { findPriceHistory, type PriceHistoryDeps } from './findPriceHistory.ts'

export type SlippageRoomDeps = PriceHistoryDeps & {
  /** wei per gas unit, those of the last blocks in their order */
  findPaidGasPrices: (network: Network) => Promise<readonly bigint[]>
  bounds: SlippageBounds
}

const unknownToken: TokenMarket = { series: [], price: undefined }

/**
 * Room in the limit of a market order, by the prices of the last day and the gas prices of the last blocks. What cannot be read
 * is logged and counts as unknown: it has the default room.
 */
export const findSlippageRoom = async (
  deps: SlippageRoomDeps,
  network: Network,
  pair: { base: Address; quote: Address },
): Promise<SlippageRoom> => {
  const toUnknown = (what: string) => (error: unknown) => {
    logEntry({ message: 'slippage without history', network: network.name, what, cause: describeError(error) })
    return undefined
  }
  const [prices, gasPrices] = await Promise.all([
    findPriceHistory(deps, network, pair).catch(toUnknown('prices')),
    deps.findPaidGasPrices(network).catch(toUnknown('gas prices')),
  ])
  const { base = unknownToken, quote = unknownToken } = prices ?? {}
  return { ...computePriceRoom(base, quote, deps.bounds), feePpm: computeFeeRoom(gasPrices ?? []) }
}
