import { describe, expect, it } from 'vitest'
import { buildTicks } from './times/buildTicks.ts'
import { formatView, isClosest, listViews, pan, parseView, showsAll, zoom } from './view.ts'

const timeline = { from: 1_000_000, to: 2_000_000, fill: { from: 1_010_000, to: 1_014_000 }, entries: [], lanes: [] }

describe('parseView', () => {
  it.each([
    [undefined, { from: 960_000, to: 2_040_000 }],
    ['nonsense', { from: 960_000, to: 2_040_000 }],
    ['9-8', { from: 960_000, to: 2_040_000 }],
    ['fill', { from: 1_009_000, to: 1_015_000 }],
    ['start', { from: 997_600, to: 1_062_400 }],
    ['end', { from: 1_937_600, to: 2_002_400 }],
    ['1500-9000', { from: 1_001_500, to: 1_009_000 }],
    ['-500-9000', { from: 999_500, to: 1_009_000 }],
  ])('reads the view %s', (text, view) => {
    expect(parseView(text, timeline)).toEqual(view)
  })

  it('a view survives a round trip through the URL', () => {
    const view = { from: 1_001_500, to: 1_009_000 }
    expect(parseView(formatView(view, timeline), timeline)).toEqual(view)
  })

  it('zooms around the middle down to a fifth of a second, and pans by a share', () => {
    const view = { from: 1_000_000, to: 1_008_000 }
    expect(zoom(view, 0.5)).toEqual({ from: 1_002_000, to: 1_006_000 })
    const closest = Array.from({ length: 9 }).reduce<typeof view>((last) => zoom(last, 0.5), view)
    expect([isClosest(view), isClosest(closest), closest.to - closest.from]).toEqual([false, true, 200])
    expect(pan(view, -0.5)).toEqual({ from: 996_000, to: 1_004_000 })
    expect(showsAll(parseView('life', timeline), timeline)).toBe(true)
    expect(showsAll(view, timeline)).toBe(false)
  })

  it('names only parts that differ from the whole', () => {
    expect(listViews(timeline).map(({ name }) => name)).toEqual(['life', 'start', 'fill', 'end'])
    expect(listViews({ ...timeline, to: 1_090_000, fill: null }).map(({ name }) => name)).toEqual(['life'])
  })
})

describe('buildTicks', () => {
  const start = new Date(2026, 0, 2, 12, 0, 0, 300).getTime()

  it.each([
    [2_000, ['12:00:00.5', '12:00:01.0', '12:00:01.5', '12:00:02.0']],
    [30_000, ['12:00:10', '12:00:20', '12:00:30']],
    [24 * 3_600_000, ['18:00', 'Jan 3', '06:00']],
    [3 * 3_600_000, ['13:00', '14:00', '15:00']],
  ])('labels round times in %i ms', (length, labels) => {
    const ticks = buildTicks(start, start + length).map(({ label }) => label)
    expect(ticks.length).toBeLessThanOrEqual(5)
    for (const label of labels) expect(ticks).toContain(label)
  })

  it('labels days when the range is days long', () => {
    for (const { label } of buildTicks(start, start + 40 * 86_400_000)) expect(label).toMatch(/^[A-Z][a-z]{2} \d+$/)
  })

  it('never returns more than the limit for any range', () => {
    for (let length = 1_000; length < 1e13; length *= 3) {
      const ticks = buildTicks(start, start + length)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.length).toBeLessThanOrEqual(5)
    }
  })
})
