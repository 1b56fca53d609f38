import type { TimelineSpan, View } from './parseView.ts'

/** `1500-9000` */
export const formatView = ({ from, to }: View, timeline: TimelineSpan): string =>
  `${Math.round(from - timeline.from)}-${Math.max(Math.round(to - timeline.from), 1)}`

/** Returns true when the whole timeline is visible. */
export const showsAll = ({ from, to }: View, timeline: TimelineSpan): boolean =>
  from <= timeline.from && to >= timeline.to
