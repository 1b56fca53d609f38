/**
 * Of items that are too many, those that have their turn, so that each has one, however many come first.
 * @param turn changes from auction to auction, such as the number of the block
 */
export const takeTurn = <Item>(items: readonly Item[], turn: number, count: number): Item[] => {
  const start = items.length > count ? (turn * count) % items.length : 0
  return [...items.slice(start), ...items.slice(0, start)].slice(0, count)
}
