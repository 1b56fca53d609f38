import type { History, Version } from './readHistory.ts'

export type Rollback = {
  /** message of the newest release */
  release: string
  /** in the given order; a Worker without `former` stays as it is, for the reason */
  workers: { name: string; former: Version | undefined; reason: string }[]
}

/**
 * Finds the version to which each Worker of the newest release returns: that of the release before. A release is the
 * message of its versions, so that Workers which an interrupted deployment or rollback has left on an older one stay
 * there.
 * @returns undefined when no Worker is deployed
 */
export const planRollback = (
  histories: readonly { name: string; history: History | undefined }[],
): Rollback | undefined => {
  const [newest] = histories
    .flatMap(({ history }) => history?.active ?? [])
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (!newest) return undefined
  const release = newest.message
  const workers = histories.map(({ name, history }) => {
    if (!history) return { name, former: undefined, reason: 'not deployed' }
    const { active, earlier } = history
    if (active.message !== release) return { name, former: undefined, reason: active.message }
    return { name, former: earlier.find(({ message }) => message !== release), reason: 'it has no earlier version' }
  })
  return { release, workers }
}
