import { read } from '../api/ApiFailure.ts'
import { client } from '../api/client.ts'
import { useAnswer } from '../api/useAnswer.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'

export type SuggestedSlippage = {
  bps: number
  /** what it rests on, for people */
  basis: string
  isLoading: boolean
}

const defaultBps = 50
/** Whatever the market does, nobody means to accept less than half. */
const maxBps = 5_000

const bases = {
  pair: 'by how this pair’s price has moved in the last day',
  tokens: 'by how the prices of both tokens have moved in the last day',
  unknown: 'by default, because little is known of this market',
} as const

/** How far the price of a pair may move while an order is on its way. Without an answer half a percent. */
export const useSuggestedSlippage = (network: NetworkName, sell: string, buy: string): SuggestedSlippage => {
  const toPart = (token: string) => (token === nativeSentinel ? '-' : token)
  const key = sell && buy && sell !== buy ? `slippage:${network}:${sell}:${buy}` : null
  const { data, isLoading } = useAnswer(key, (signal) => {
    const path = { chainId: network, pair: `${toPart(sell)}-${toPart(buy)}` }
    return read(client.GET('/{chainId}/markets/{pair}/slippageTolerance', { params: { path }, signal }))
  })
  const bps = Math.min(data?.slippageBps ?? defaultBps, maxBps)
  return { bps, basis: bases[data?.basis ?? 'unknown'], isLoading }
}
