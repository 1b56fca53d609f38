import { and, asc, eq } from 'drizzle-orm'
import type { PauseSubject } from '#shared/pauses/pauses.ts'
import type { Database } from '../../client.ts'
import { pauses } from '../../tables/service/pauses.ts'

export type StoredPause = { subject: PauseSubject; reason: string; since: Date }

/** Current pauses of a network, oldest first. */
export const selectPauses = (database: Database, chainId: number): Promise<StoredPause[]> =>
  database
    .select({ subject: pauses.subject, reason: pauses.reason, since: pauses.since })
    .from(pauses)
    .where(eq(pauses.chainId, chainId))
    .orderBy(asc(pauses.since), asc(pauses.subject))

/** Pauses a subject, or changes the reason of its pause, which retains its time. */
export const upsertPause = async (
  database: Database,
  chainId: number,
  pause: { subject: PauseSubject; reason: string },
): Promise<void> => {
  await database
    .insert(pauses)
    .values({ chainId, ...pause })
    .onConflictDoUpdate({ target: [pauses.chainId, pauses.subject], set: { reason: pause.reason } })
}

/** @returns whether the subject was paused */
export const deletePause = async (database: Database, chainId: number, subject: PauseSubject): Promise<boolean> => {
  const deleted = await database
    .delete(pauses)
    .where(and(eq(pauses.chainId, chainId), eq(pauses.subject, subject)))
    .returning({ subject: pauses.subject })
  return deleted.length > 0
}
