import { useEffect, useRef, useState } from 'preact/hooks'
import type { StreamState } from '../../api/streamState.ts'
import { type RequestState, useRequest } from '../../api/useRequest.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { hasConcluded } from './hasConcluded.ts'
import { type LoadedOrder, loadOrder, type OrderEvent } from './loadOrder.ts'
import { useOrderEvents } from './useOrderEvents.ts'

export type OrderPageState = RequestState<LoadedOrder> & {
  /** of the stream, oldest first; empty before it begins */
  events: readonly OrderEvent[]
  stream: StreamState
}

/** Changes without an event, such as a price outside the market, appear within this time. */
const openEveryMs = 10_000
/** Several events of one block cause one reload. */
const gatherMs = 150
/** Without a known number of events, a stream counts as complete after this much silence. */
const quietMs = 2_000
/** An order expires one second after its last valid second. */
const afterExpiryMs = 1_500
/** Longest delay of a browser's timer. */
const maxTimerMs = 2 ** 31 - 1

/** An order and its events, updated while the component is mounted. */
export const useOrder = (network: Network, uid: string): OrderPageState => {
  const [isPolled, setIsPolled] = useState(true)
  const result = useRequest(
    `order ${network.name} ${uid}`,
    (signal) => loadOrder(network.name, uid, signal),
    isPolled ? openEveryMs : undefined,
  )
  const { data, reload } = result
  const status = data?.order.status
  const hasEnded = data !== undefined && hasConcluded(data.order, data.report?.events, data.loadedAt)
  // a refund of an expired order has no event
  const isRefundable = status === 'expired' && data?.order.ethflowData?.isRefunded === false
  useEffect(() => setIsPolled(!hasEnded || isRefundable), [hasEnded, isRefundable])

  // The stream of an ended order is closed after its last event; one that ends on this page stays open for later
  // events.
  const wasOpen = useRef(false)
  if (status !== undefined && !hasEnded) wasOpen.current = true
  const [isRead, setIsRead] = useState(false)
  const isFollowed = data !== undefined && (wasOpen.current || !isRead)
  const { events, state } = useOrderEvents(isFollowed ? `/${network.name}/api/v1/orders/${uid}/events` : null)

  const known = data?.report?.events.length ?? 0
  const isLoaded = data !== undefined
  useEffect(() => {
    if (!isLoaded || events.length <= known) return
    const timer = setTimeout(reload, gatherMs)
    return () => clearTimeout(timer)
  }, [events.length, known, isLoaded, reload])
  const hasReport = Boolean(data?.report)
  useEffect(() => {
    if (!hasEnded || events.length === 0 || events.length < known) return
    const timer = setTimeout(() => setIsRead(true), hasReport ? 0 : quietMs)
    return () => clearTimeout(timer)
  }, [hasEnded, hasReport, events.length, known])

  // The stream may not replay everything missed during an interruption.
  const isLive = state === 'live'
  const wasLive = useRef(false)
  useEffect(() => {
    if (isLive && wasLive.current) reload()
    if (isLive) wasLive.current = true
  }, [isLive, reload])

  const validTo = data?.order.ethflowData?.userValidTo ?? data?.order.validTo
  useEffect(() => {
    if (hasEnded || validTo === undefined) return
    const wait = validTo * 1_000 + afterExpiryMs - Date.now()
    if (wait < 0 || wait > maxTimerMs) return
    const timer = setTimeout(reload, wait)
    return () => clearTimeout(timer)
  }, [hasEnded, validTo, reload])

  return { ...result, events, stream: state }
}
