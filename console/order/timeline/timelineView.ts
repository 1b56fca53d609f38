import type { Timeline } from './buildTimeline.ts'

/** What part of an order's life is shown, Unix milliseconds. */
export type View = { from: number; to: number }

/** Nothing is to be seen in less. */
const shortestMs = 200
/** Room before the first and after the last mark, of what is shown. */
const margin = 0.04
/** At both ends of a named part, so that no mark is cut. */
const leastRoomMs = 200
/** What `start` and `end` show. */
const edgeMs = 60_000

/** Parts of a life that have a name, as far as they differ from all of it. */
export const listViews = ({ from, to, fill }: Timeline): { name: string; label: string }[] => [
  { name: 'life', label: 'Whole life' },
  ...(to - from > 2 * edgeMs ? [{ name: 'start', label: 'Beginning' }] : []),
  ...(fill ? [{ name: 'fill', label: 'Around the fill' }] : []),
  ...(to - from > 2 * edgeMs ? [{ name: 'end', label: 'End' }] : []),
]

/**
 * The part of the life that `?view=` names: `life`, `start`, `fill`, `end`, or milliseconds since its creation,
 * `1500-9000`. What makes no sense is the whole life.
 */
export const parseView = (text: string | undefined, timeline: Timeline): View => {
  if (text === 'fill' && timeline.fill) return widen(timeline.fill, 0.25)
  if (text === 'start') return widen({ from: timeline.from, to: timeline.from + edgeMs }, margin)
  if (text === 'end') return widen({ from: timeline.to - edgeMs, to: timeline.to }, margin)
  const [, from, to] = /^(-?\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  if (from !== undefined && to !== undefined && Number(to) - Number(from) >= shortestMs) {
    return { from: timeline.from + Number(from), to: timeline.from + Number(to) }
  }
  return widen(timeline, margin)
}

const widen = ({ from, to }: View, share: number): View => {
  const room = Math.max((to - from) * share, leastRoomMs)
  return { from: from - room, to: to + room }
}

/** `1500-9000` */
export const formatView = ({ from, to }: View, timeline: Timeline): string =>
  `${Math.round(from - timeline.from)}-${Math.max(Math.round(to - timeline.from), 1)}`

/** @param factor 0.5 shows half as long */
export const zoom = ({ from, to }: View, factor: number): View => {
  const middle = (from + to) / 2
  const half = Math.max(((to - from) * factor) / 2, shortestMs / 2)
  return { from: middle - half, to: middle + half }
}

/** @param share of what is shown; negative is earlier */
export const pan = ({ from, to }: View, share: number): View => {
  const distance = (to - from) * share
  return { from: from + distance, to: to + distance }
}

/** Whether all of the life is in the view. */
export const showsAll = ({ from, to }: View, timeline: Timeline): boolean => from <= timeline.from && to >= timeline.to

/** Whether nothing smaller can be shown. */
export const isClosest = ({ from, to }: View): boolean => to - from <= shortestMs * 1.01
