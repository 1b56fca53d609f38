/** A Rate Limiting binding in the Worker's own isolate: requests of a key in fixed windows. */
export default ({ quota }: { quota: { limit: number; period: number } }) => {
  /** of the window that runs now */
  let counts = new Map<string, number>()
  let window = 0
  return {
    limit: async ({ key }: { key: string }): Promise<{ success: boolean }> => {
      const now = Math.floor(Date.now() / 1_000 / quota.period)
      if (now !== window) counts = new Map()
      window = now
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= quota.limit }
    },
  }
}
