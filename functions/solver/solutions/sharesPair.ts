import type { Batch } from '../batches/batch.ts'

/** Whether two batches have orders of the same pair of tokens. */
export const sharesPair = (a: Batch, b: Batch): boolean => {
  const pairs = new Set(listPairs(a))
  return listPairs(b).some((pair) => pairs.has(pair))
}

const listPairs = ({ fills }: Batch): string[] =>
  fills.map(({ order: { sellToken, buyToken } }) => [sellToken, buyToken].sort().join())
