/** Times of a timeline that name its views. */
export type TimelineSpan = {
  /** from creation to the end of the order or now, Unix milliseconds */
  from: number
  to: number
  /** from the auction to the newest trade; null without trades */
  fill: { from: number; to: number } | null
}

/** The visible part of the timeline, Unix milliseconds. */
export type View = { from: number; to: number }

/** Shortest visible range, milliseconds. */
const minViewMs = 200
/** Margin before the first and after the last mark, as a share of the range. */
const margin = 0.04
/** Smallest margin at both ends, milliseconds, so that no mark is cut. */
const minMarginMs = 200
/** Length of the parts `start` and `end`, milliseconds. */
const edgeViewMs = 60_000

/**
 * The part of the timeline named by `?view=`: `life`, `start`, `fill`, `end`, or milliseconds since creation,
 * `1500-9000`. Invalid values give the whole.
 */
export const parseView = (text: string | undefined, timeline: TimelineSpan): View => {
  if (text === 'fill' && timeline.fill) return widen(timeline.fill, 0.25)
  if (text === 'start') return widen({ from: timeline.from, to: timeline.from + edgeViewMs }, margin)
  if (text === 'end') return widen({ from: timeline.to - edgeViewMs, to: timeline.to }, margin)
  const [, from, to] = /^(-?\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  if (from !== undefined && to !== undefined && Number(to) - Number(from) >= minViewMs) {
    return { from: timeline.from + Number(from), to: timeline.from + Number(to) }
  }
  return widen(timeline, margin)
}

const widen = ({ from, to }: View, share: number): View => {
  const marginMs = Math.max((to - from) * share, minMarginMs)
  return { from: from - marginMs, to: to + marginMs }
}

/** `1500-9000` */
export const formatView = ({ from, to }: View, timeline: TimelineSpan): string =>
  `${Math.round(from - timeline.from)}-${Math.max(Math.round(to - timeline.from), 1)}`

/** Returns true when the whole timeline is visible. */
export const showsAll = ({ from, to }: View, timeline: TimelineSpan): boolean =>
  from <= timeline.from && to >= timeline.to

/** Named parts of the timeline that differ from the whole. */
export const listViews = ({ from, to, fill }: TimelineSpan): { name: string; label: string }[] => [
  { name: 'life', label: 'Whole life' },
  ...(to - from > 2 * edgeViewMs ? [{ name: 'start', label: 'Beginning' }] : []),
  ...(fill ? [{ name: 'fill', label: 'Around the fill' }] : []),
  ...(to - from > 2 * edgeViewMs ? [{ name: 'end', label: 'End' }] : []),
]

/** @param factor 0.5 halves the range */
export const zoom = ({ from, to }: View, factor: number): View => {
  const middle = (from + to) / 2
  const half = Math.max(((to - from) * factor) / 2, minViewMs / 2)
  return { from: middle - half, to: middle + half }
}

/** Returns true at the shortest range. */
export const isClosest = ({ from, to }: View): boolean => to - from <= minViewMs * 1.01

/** @param share of the range; negative moves to earlier times */
export const pan = ({ from, to }: View, share: number): View => {
  const distance = (to - from) * share
  return { from: from + distance, to: to + distance }
}
