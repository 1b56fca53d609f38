import { useEffect, useState } from 'preact/hooks'
import type { PricePoint } from '../../ui/chart/buildLine.ts'

const maxPoints = 600

type Series = { pair: string; points: readonly PricePoint[] }

/**
 * Prices of a pair since the page was opened.
 * @param pair identifies it; another pair begins anew
 * @param price current one; undefined: unknown
 */
export const usePriceSeries = (pair: string, price: number | undefined): readonly PricePoint[] => {
  const [series, setSeries] = useState<Series>({ pair, points: [] })
  useEffect(() => {
    if (price === undefined) return
    setSeries((last) => {
      const points = last.pair === pair ? last.points : []
      return { pair, points: [...points, { time: Date.now(), price }].slice(-maxPoints) }
    })
  }, [pair, price])
  return series.pair === pair ? series.points : []
}
