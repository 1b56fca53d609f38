import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, useAnswer } from '../../api/useAnswer.ts'
import type { StreamState } from '../../api/useEventStream.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { type LoadedOrder, loadOrder, type OrderEvent } from './loadOrder.ts'
import { useOrderEvents } from './useOrderEvents.ts'

export type FollowedOrder = Answer<LoadedOrder> & {
  /** of the stream, oldest first; empty before it has begun */
  events: readonly OrderEvent[]
  stream: StreamState
}

/** What passes without an event, like being too far from the market for a while, shows by itself within this time. */
const openEveryMs = 10_000
/** Several events of one block are one reason to look again. */
const gatherMs = 150
/** When nothing says how many events there are, a stream that tells none for so long has told all. */
const quietMs = 2_000
/** An order has expired one second after the last one in which it is valid. */
const afterExpiryMs = 1_500
/** The longest that a browser's timer waits. */
const maxTimerMs = 2 ** 31 - 1

/** An order and everything that happens to it while it is shown. */
export const useOrder = (network: Network, uid: string): FollowedOrder => {
  const [isOpen, setIsOpen] = useState(true)
  const answer = useAnswer(
    `order ${network.name} ${uid}`,
    (signal) => loadOrder(network.name, uid, signal),
    isOpen ? openEveryMs : undefined,
  )
  const { data, reload } = answer
  const status = data?.order.status
  const hasEnded = status !== undefined && status !== 'open' && status !== 'presignaturePending'
  useEffect(() => setIsOpen(!hasEnded), [hasEnded])

  // An order that had ended before is read to its last event and left alone; one that ends here is followed on, for what
  // comes after its end.
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

  // What happened while the stream was interrupted may be too much for it to tell.
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

  return { ...answer, events, stream: state }
}
