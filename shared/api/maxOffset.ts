/** Largest `offset` of a list; the cursor of a page leads further at a constant cost. */
export const maxOffset = 10_000
