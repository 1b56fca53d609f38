import { edgeViewMs, type TimelineSpan } from './parseView.ts'

/** Named parts of the timeline that differ from the whole. */
export const listViews = ({ from, to, fill }: TimelineSpan): { name: string; label: string }[] => [
  { name: 'life', label: 'Whole life' },
  ...(to - from > 2 * edgeViewMs ? [{ name: 'start', label: 'Beginning' }] : []),
  ...(fill ? [{ name: 'fill', label: 'Around the fill' }] : []),
  ...(to - from > 2 * edgeViewMs ? [{ name: 'end', label: 'End' }] : []),
]
