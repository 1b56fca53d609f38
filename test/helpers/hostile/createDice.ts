import { createRandom } from '#tools/stack/createRandom.ts'

/** Random choices of one actor: the same seed and name give the same choices, with any other actors. */
export type Dice = {
  /** whole number from `least` to `most`, both included */
  between: (least: number, most: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
}

export const createDice = (seed: number, name: string): Dice => {
  const random = createRandom([...name].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 16_777_619), seed))
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  return {
    between,
    chance: (probability) => random() < probability,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
