/** Milliseconds for which a refusal counts: a plan may change. */
const refusalMs = 10 * 60_000

/** Methods that nodes refused in the last minutes, in this isolate. */
export const createMethodGaps = (now: () => number = Date.now) => {
  const until = new Map<string, number>()
  const toKey = (url: string, method: string): string => `${method} ${url}`
  const isMissing = (url: string, method: string): boolean => (until.get(toKey(url, method)) ?? 0) > now()
  return {
    learn: (url: string, method: string): void => {
      until.set(toKey(url, method), now() + refusalMs)
    },
    /** Sorts nodes that refused the method to the end. */
    sort: (nodes: readonly string[], method: string): string[] =>
      nodes.toSorted((a, b) => Number(isMissing(a, method)) - Number(isMissing(b, method))),
  }
}
