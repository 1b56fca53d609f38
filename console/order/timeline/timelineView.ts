import type { Timeline } from './buildTimeline.ts'

/** The visible part of the timeline, Unix milliseconds. */
export type View = { from: number; to: number }

/** Shortest visible range. */
const shortestMs = 200
/** Margin before the first and after the last mark, as a share of the range. */
const margin = 0.04
/** Margin at both ends of a named part, so that no mark is cut. */
const leastRoomMs = 200
/** Length of the parts `start` and `end`. */
const edgeMs = 60_000

/** Named parts of the timeline that differ from the whole. */
export const listViews = ({ from, to, fill }: Timeline): { name: string; label: string }[] => [
  { name: 'life', label: 'Whole life' },
  ...(to - from > 2 * edgeMs ? [{ name: 'start', label: 'Beginning' }] : []),
  ...(fill ? [{ name: 'fill', label: 'Around the fill' }] : []),
  ...(to - from > 2 * edgeMs ? [{ name: 'end', label: 'End' }] : []),
]

/**
 * The part of the timeline named by `?view=`: `life`, `start`, `fill`, `end`, or milliseconds since creation,
 * `1500-9000`. Invalid values give the whole.
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

/** @param factor 0.5 halves the range */
export const zoom = ({ from, to }: View, factor: number): View => {
  const middle = (from + to) / 2
  const half = Math.max(((to - from) * factor) / 2, shortestMs / 2)
  return { from: middle - half, to: middle + half }
}

/** @param share of the range; negative moves to earlier times */
export const pan = ({ from, to }: View, share: number): View => {
  const distance = (to - from) * share
  return { from: from + distance, to: to + distance }
}

/** Returns true when the whole timeline is visible. */
export const showsAll = ({ from, to }: View, timeline: Timeline): boolean => from <= timeline.from && to >= timeline.to

/** Returns true at the shortest range. */
export const isClosest = ({ from, to }: View): boolean => to - from <= shortestMs * 1.01
