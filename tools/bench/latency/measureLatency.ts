import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import type { StackInfo } from '../../stack/stackInfo.ts'
import { createOrderPlacer, type QuotedAmounts, type TimedResponse } from '../market/createOrderPlacer.ts'
import { tenPairs, toSale } from '../market/marketScenarios.ts'
import { benchAddressHeader, type MarketStack } from '../market/startMarketStack.ts'
import type { Fill, LatencyOutcome, Responses } from './latencyFigures.ts'

const clients = 100
const pollMs = 100
const fillTimeoutMs = 180_000
/** until the status has the last fill: it is five seconds old at most, and a block is indexed within seconds */
const statusTimeoutMs = 20_000

export type LatencyPlan = {
  orders: number
  /** milliseconds from one placement to the next */
  paceMs: number
  /** length of the crowd */
  crowdSeconds: number
}

/**
 * Places orders one after the other, waits until they are filled, and then requests quotes for a hundred clients at
 * once.
 */
export const measureLatency = async (
  { stack: { info }, trader }: Pick<MarketStack, 'stack' | 'trader'>,
  { orders, paceMs, crowdSeconds }: LatencyPlan,
): Promise<LatencyOutcome> => {
  const responses: TimedResponse[] = []
  const place = createOrderPlacer(info, trader, (response) => responses.push(response))
  const waiting: Promise<Fill | null>[] = []
  for (let index = 0; index < orders; index++) {
    const { uid, quoted } = await place(toSale(info, tenPairs[index % tenPairs.length] ?? tenPairs[0], index))
    const fill = waitForFill(info, uid, quoted)
    // awaited below, unless a placement fails before
    fill.catch(() => undefined)
    waiting.push(fill)
    await sleep(paceMs)
  }
  const fills = await Promise.all(waiting)
  const of = (path: TimedResponse['path']) => toResponses(responses.filter((response) => response.path === path))
  const service = await waitForStatus(info, fills.filter((fill) => fill !== null).length)
  const crowd = await requestAtOnce(info, crowdSeconds)
  return { quotes: of('quote'), submissions: of('orders'), fills, service, crowd }
}

const waitForFill = async (
  { baseUrl, network }: StackInfo,
  uid: Hex,
  { sellAmount, buyAmount }: QuotedAmounts,
): Promise<Fill | null> => {
  for (const start = performance.now(); performance.now() - start < fillTimeoutMs; await sleep(pollMs)) {
    const response = await fetch(`${baseUrl}/${network}/api/v1/orders/${uid}`)
    const order = (await response.json()) as FilledOrder
    if (order.status !== 'fulfilled') continue
    const [sold, bought] = [BigInt(order.executedSellAmount), BigInt(order.executedBuyAmount)]
    const overQuoteBps = 10_000 * (Number(bought * sellAmount) / Number(sold * buyAmount) - 1)
    return { ms: performance.now() - start, overQuoteBps }
  }
  return null
}

type FilledOrder = { status?: string; executedSellAmount: string; executedBuyAmount: string }

const waitForStatus = async ({ baseUrl, network }: StackInfo, filled: number): Promise<LatencyOutcome['service']> => {
  for (const start = Date.now(); ; await sleep(pollMs)) {
    const status = (await (await fetch(`${baseUrl}/${network}/status.json`)).json()) as NetworkStatus
    if (status.timeToFill.count >= filled || Date.now() - start > statusTimeoutMs) return status
  }
}

/** Each client waits for its response, and after a refusal as long as `Retry-After` says. */
const requestAtOnce = async (info: StackInfo, seconds: number): Promise<Responses> => {
  const found: Pick<TimedResponse, 'status' | 'ms'>[] = []
  const { sellToken, buyToken, sellAmount } = toSale(info, tenPairs[0], 0)
  const body = JSON.stringify({
    ...{ sellToken, buyToken, kind: 'sell', sellAmountBeforeFee: sellAmount.toString() },
    from: info.accounts[0]?.address,
  })
  const end = performance.now() + seconds * 1_000
  const run = async (client: number) => {
    while (performance.now() < end) {
      const start = performance.now()
      const response = await fetch(`${info.baseUrl}/${info.network}/api/v1/quote`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', [benchAddressHeader]: `198.51.100.${client}` },
        body,
      })
      await response.arrayBuffer()
      found.push({ status: response.status, ms: performance.now() - start })
      if (!response.ok) await sleep(Number(response.headers.get('Retry-After') ?? 1) * 1_000)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client + 1)))
  return toResponses(found)
}

const toResponses = (responses: readonly Pick<TimedResponse, 'status' | 'ms'>[]): Responses => {
  const isAccepted = ({ status }: { status: number }) => status >= 200 && status < 300
  const refused = responses.filter(({ status }) => status === 503).length
  const acceptedMs = responses.filter(isAccepted).map(({ ms }) => ms)
  return { acceptedMs, refused, others: responses.length - refused - acceptedMs.length }
}
