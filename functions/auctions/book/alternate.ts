/**
 * Alternates between two lists. Of a bounded number of places each list has half, however long the other one is: orders
 * that are new in each block cost strangers nothing.
 */
export const alternate = <Item>(first: readonly Item[], second: readonly Item[]): Item[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [
    ...first.slice(i, i + 1),
    ...second.slice(i, i + 1),
  ]).flat()
