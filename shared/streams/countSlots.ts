/** A stream of a client, as it is counted. */
export type Slot = {
  /** the watch that has the stream */
  holder: string
  /** differs from one start of the watch to the next */
  life: string
  /** when it is over in any case, Unix milliseconds */
  until: number
}

export type SlotRequest = Slot & { max: number }

/**
 * Which slots are over without having been given back, because what held them has crashed or was replaced by a deployment, and
 * how many others there are. A watch that asks in a new life has lost all streams of the one before.
 * @param asking the slot that is asked for
 */
export const countSlots = (
  taken: ReadonlyMap<string, Slot>,
  asking: Slot,
  now: number,
): { over: string[]; held: number } => {
  const isOver = ({ holder, life, until }: Slot) => until <= now || (holder === asking.holder && life !== asking.life)
  const over = [...taken].flatMap(([id, slot]) => (isOver(slot) ? [id] : []))
  return { over, held: taken.size - over.length }
}
