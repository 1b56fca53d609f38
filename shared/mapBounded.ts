/** `work` on every item, at most `limit` at a time; results in the order of the items. Stops at the first failure. */
export const mapBounded = async <T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const entries = items.entries()
  const lane = async () => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: limit }, lane))
  return results
}
