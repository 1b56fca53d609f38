import { networks } from '#shared/networks.ts'
import { estimatedNetworks, nodeUnits, usage } from './costInputs.ts'

export const secondsPerDay = 86_400

/** Each tick asks for the newest block; a tick with new ones for their logs, for each of them and for its receipts. */
export const unitsOfBlocks = estimatedNetworks.reduce((units, name) => {
  const blocks = secondsPerDay / networks[name].blockTimeSeconds
  const { eth_getBlockByNumber: block, eth_getLogs: logs, eth_getBlockReceipts: receipts } = nodeUnits
  return units + secondsPerDay * block + Math.min(blocks, secondsPerDay) * logs + blocks * (block + receipts)
}, 0)

/** A quote: the gas price, its tokens and a simulation. An order: its facts in one call. */
export const unitsOfUse = (ordersPerDay: number, auctions: number): number => {
  const { eth_call, eth_gasPrice, eth_simulateV1 } = nodeUnits
  const quotes = ordersPerDay * usage.quotesPerOrder * (eth_gasPrice + eth_call + eth_simulateV1)
  return quotes + ordersPerDay * eth_call + auctions * usage.callsPerAuction * eth_call
}
