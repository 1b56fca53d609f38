import { type MemoryUse, sumHeaps } from './readMemory.ts'
import type { SoakInterval } from './soakInterval.ts'

/** Allowed growth of live memory over the judged part. */
const maxMemoryGrowth = 0.05
/** Allowed growth of resident memory: collectors and allocators let it swing. */
const maxResidentGrowth = 0.2
/** The local chain stores every block and state; it replaces an external node and is not checked. */
const growing = ['anvil']
const maxLatencyGrowth = 0.5
/** Below this a p99 that doubles is noise. */
const smallLatencyMs = 50

/** Growth of memory and latencies over the judged intervals, with what is allowed. */
export const findTrends = (warm: readonly SoakInterval[]) => {
  const processes = Object.keys(warm[0]?.memory ?? {}).filter((name) => !growing.includes(name))
  const kinds = Object.keys(warm[0]?.kinds ?? {})
  return [
    ...processes.flatMap((name) => findMemoryTrends(name, warm)),
    ...kinds.map((name) => ({
      name: `p99 of ${name}`,
      growth: computeGrowth(
        warm.map(({ at, kinds: { [name]: result } }) => [at, Math.max(result?.p99 ?? 0, smallLatencyMs)]),
      ),
      allowed: maxLatencyGrowth,
    })),
  ]
}

const findMemoryTrends = (name: string, warm: readonly SoakInterval[]) => {
  const growthOf = (read: (use: MemoryUse) => number) =>
    computeGrowth(warm.map(({ at, memory: { [name]: use } }) => [at, use ? read(use) : 0]))
  const resident = { name: `memory of ${name}`, growth: growthOf((use) => use.resident), allowed: maxResidentGrowth }
  if (!warm[0]?.memory[name]?.collected) return [resident]
  return [
    resident,
    { name: `heaps of ${name}`, growth: growthOf(sumHeaps), allowed: maxMemoryGrowth },
    {
      name: `memory outside the heaps of ${name}`,
      growth: growthOf(({ collected }) => collected?.outside ?? 0),
      allowed: maxMemoryGrowth,
    },
  ]
}

/** Least-squares line through points. */
export const fitLine = (points: readonly (readonly [x: number, y: number])[]): { slope: number; start: number } => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  return { slope, start: meanY - slope * meanX }
}

/** Rise of the fitted line from the first to the last point, as a share of its start. */
export const computeGrowth = (points: readonly (readonly [x: number, y: number])[]): number => {
  const [first, last] = [points.at(0), points.at(-1)]
  if (!first || !last) return 0
  const { slope, start } = fitLine(points)
  return (slope * (last[0] - first[0])) / (start + slope * first[0])
}
