/** A counted stream of a client. */
export type Slot = {
  /** the watch that serves the stream */
  holder: string
  /** changes with each start of the watch */
  life: string
  /** latest possible end of the stream, Unix milliseconds */
  until: number
}

export type SlotRequest = Slot & { max: number }

/**
 * Finds slots that ended without being released, because their watch crashed or was replaced by a deployment, and whether the
 * others take up all. A restarted watch has lost all its earlier streams.
 * @param requested slot to add
 */
export const countSlots = (
  taken: ReadonlyMap<string, Slot>,
  { max, ...requested }: SlotRequest,
  now: number,
): { over: string[]; isFull: boolean } => {
  const isOver = ({ holder, life, until }: Slot) =>
    until <= now || (holder === requested.holder && life !== requested.life)
  const over = [...taken].flatMap(([id, slot]) => (isOver(slot) ? [id] : []))
  return { over, isFull: taken.size - over.length >= max }
}
