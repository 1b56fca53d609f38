/** Beside the first one. */
const maxCalls = 30
/** Units for the questions to one contract, of which ordinary ones take a third, and for what surrounds them. */
const gasOfContract = 200_000n
const gasOfCall = 300_000n

export type HalfCalls<Item, Answer> = {
  /** answers in the order of the items */
  askAll: (items: readonly Item[]) => Promise<Answer[]>
  /** the same of a part of them, with as many units of gas */
  askPart: (items: readonly Item[], gas: bigint) => Promise<Answer[]>
  /** whether an answer says anything */
  isTold: (answer: Answer) => boolean
}

/**
 * Asks many contracts in one call, and in halves when that tells nothing of any of them: one that burns all gas takes the
 * answers of the others with it. What is not told after some calls stays so.
 */
export const askInHalves = async <Item, Answer>(
  items: readonly Item[],
  { askAll, askPart, isTold }: HalfCalls<Item, Answer>,
): Promise<Answer[]> => {
  let left = maxCalls
  const split = async (part: readonly Item[], answers: Answer[]): Promise<Answer[]> => {
    if (part.length < 2 || left < 2 || answers.some(isTold)) return answers
    left -= 2
    const middle = Math.ceil(part.length / 2)
    const halves = await Promise.all(
      [part.slice(0, middle), part.slice(middle)].map(async (half) =>
        split(half, await askPart(half, gasOfCall + gasOfContract * BigInt(half.length))),
      ),
    )
    return halves.flat()
  }
  return split(items, await askAll(items))
}
