import { describeError } from '#shared/http/describeError.ts'

export type RemovalDeps = {
  /** Unix milliseconds */
  now: () => number
  /** days after which a quote is deleted */
  retentionDays: number
  /** deletes the oldest quotes from before a time, at most so many; returns how many */
  deleteOldQuotes: (createdBefore: Date, limit: number) => Promise<number>
}

/** Quotes deleted in one run; with a run per minute, more than seven million a day. */
const maxDeleted = 5_000
const dayMs = 86_400_000

/** Deletes the oldest quotes. A failure is logged, and the next run continues. */
export const removeOldQuotes = async ({ now, retentionDays, deleteOldQuotes }: RemovalDeps): Promise<void> => {
  try {
    const deleted = await deleteOldQuotes(new Date(now() - retentionDays * dayMs), maxDeleted)
    if (deleted > 0) console.log(JSON.stringify({ message: 'old quotes deleted', deleted }))
  } catch (error) {
    console.error(JSON.stringify({ message: 'old quotes could not be deleted', cause: describeError(error) }))
  }
}
