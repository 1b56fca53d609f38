/** How long a refusal counts: a plan may change. */
const keptMs = 10 * 60_000

/** Which nodes refused which method, for some minutes, in this isolate. */
export const createMethodGaps = (now: () => number = Date.now) => {
  const until = new Map<string, number>()
  const toKey = (url: string, method: string): string => `${method} ${url}`
  const isMissing = (url: string, method: string): boolean => (until.get(toKey(url, method)) ?? 0) > now()
  return {
    learn: (url: string, method: string): void => {
      until.set(toKey(url, method), now() + keptMs)
    },
    /** The same nodes, those that refused the method last. */
    sort: (nodes: readonly string[], method: string): string[] =>
      nodes.toSorted((a, b) => Number(isMissing(a, method)) - Number(isMissing(b, method))),
  }
}
