/** Costs of a block: shorter than the blocks of every network but the fastest, which move less from one to the next. */
const lifetimeMs = 1_000

/**
 * Remembers a cost of settlements for a second. Quotes of one block have one cost, and share the value: workerd lets no request
 * wait for what another one reads. A failure is not remembered.
 */
export const rememberCost = (
  find: (timeoutMs: number) => Promise<bigint>,
  now: () => number,
): ((timeoutMs: number) => Promise<bigint>) => {
  let known: { cost: bigint; until: number } | undefined
  return async (timeoutMs) => {
    const startedAt = now()
    if (known && startedAt < known.until) return known.cost
    const cost = await find(timeoutMs)
    known = { cost, until: startedAt + lifetimeMs }
    return cost
  }
}
