import type { Mark, Tone } from './toPoint.ts'

/** A mark's position in the chart: shares of the visible time, 0 to 1. */
export type Placed = Mark & { start: number; end: number }

/** Order of tones: a cluster shows the worst or rarest. */
const weight: Record<Tone, number> = { plain: 0, info: 1, good: 2, warn: 3, bad: 4 }

/**
 * Marks of a lane that are visible between `from` and `to`. There are at most as many points as bins: marks in one bin
 * are merged. A bar longer than a bin stays a bar.
 * @param noun plural noun for the label of a cluster
 */
export const clusterMarks = (
  marks: readonly Mark[],
  { from, to }: { from: number; to: number },
  noun: string,
  bins = 48,
): Placed[] => {
  const width = (to - from) / bins
  const bars: Mark[] = []
  const clusters = new Map<number, Mark>()
  for (const mark of marks) {
    if (mark.to < from || mark.from > to) continue
    if (mark.to - mark.from > width) {
      bars.push(mark)
      continue
    }
    const bin = Math.floor((Math.max(mark.from, from) - from) / width)
    const before = clusters.get(bin)
    clusters.set(bin, before ? merge(before, mark, noun) : mark)
  }
  const place = (time: number) => Math.min(Math.max((time - from) / (to - from), 0), 1)
  return [...joinBars(bars, width, noun), ...clusters.values()].map((mark) => ({
    ...mark,
    start: place(mark.from),
    end: place(mark.to),
  }))
}

const merge = (a: Mark, b: Mark, noun: string): Mark => {
  const count = a.count + b.count
  return {
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    tone: weight[a.tone] >= weight[b.tone] ? a.tone : b.tone,
    label: `${count} ${noun}`,
    count,
  }
}

/** Bars of one tone with invisible gaps are merged. */
const joinBars = (bars: readonly Mark[], width: number, noun: string): Mark[] => {
  const joined: Mark[] = []
  for (const bar of bars.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && last.tone === bar.tone && bar.from - last.to < width / 4)
      joined[joined.length - 1] = merge(last, bar, noun)
    else joined.push(bar)
  }
  return joined
}
