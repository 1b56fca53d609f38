/** An interval of the API; prices are samples, volumes atoms. */
type Interval = {
  time: string
  open: number | null
  high: number | null
  low: number | null
  close: number | null
  baseVolume: string
}

export type Candle = {
  /** start, Unix milliseconds */
  time: number
  open: number
  high: number
  low: number
  close: number
  /** base atoms */
  volume: number
}

/** Intervals without a price have a volume only. */
export type Bar = Omit<Candle, 'open' | 'high' | 'low' | 'close'>

/**
 * Candles of several intervals each. A candle begins at the price before it when that is of the interval before: a
 * sample is a moment, and the price between two of them moved from one to the other.
 * @param intervals oldest first
 * @param ms of an interval of the API, and the number of them in a candle
 */
export const buildCandles = (
  intervals: readonly Interval[],
  { intervalMs, group }: { intervalMs: number; group: number },
): { candles: Candle[]; bars: Bar[] } => {
  const spanMs = intervalMs * group
  const groups = Map.groupBy(intervals, ({ time }) => Math.floor(Date.parse(time) / spanMs) * spanMs)
  const candles: Candle[] = []
  const bars: Bar[] = []
  for (const [time, members] of groups) {
    const volume = members.reduce((sum, { baseVolume }) => sum + Number(baseVolume), 0)
    bars.push({ time, volume })
    const priced = members.filter((member): member is Interval & Record<'open' | 'high' | 'low' | 'close', number> =>
      Boolean(member.open && member.high && member.low && member.close),
    )
    const [first, last] = [priced[0], priced.at(-1)]
    if (!first || !last) continue
    const before = candles.at(-1)
    const open = before && time - before.time === spanMs ? before.close : first.open
    candles.push({
      time,
      open,
      high: Math.max(open, ...priced.map(({ high }) => high)),
      low: Math.min(open, ...priced.map(({ low }) => low)),
      close: last.close,
      volume,
    })
  }
  return { candles, bars }
}

/** Share by which the price changed over the candles; undefined with less than two prices. */
export const computeChange = (candles: readonly Candle[]): number | undefined => {
  const [first, last] = [candles[0], candles.at(-1)]
  if (!first || !last || (candles.length === 1 && first.open === first.close)) return undefined
  return last.close / first.open - 1
}
