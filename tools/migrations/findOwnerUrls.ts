import { nameDatabase } from './nameDatabase.ts'

/**
 * `MIGRATIONS_DATABASE_URL` by the `DATABASE_URL` beside it; the first one counts.
 * @param configured settings of networks, and the shared ones
 * @throws Error when both name different databases
 */
export const findOwnerUrls = (configured: readonly Readonly<Record<string, string>>[]): ReadonlyMap<string, string> => {
  const urls = new Map<string, string>()
  for (const { DATABASE_URL: databaseUrl, MIGRATIONS_DATABASE_URL: ownerUrl } of configured) {
    if (!databaseUrl || !ownerUrl || urls.has(databaseUrl)) continue
    if (nameDatabase(databaseUrl) !== nameDatabase(ownerUrl))
      throw new Error(
        `MIGRATIONS_DATABASE_URL is ${nameDatabase(ownerUrl)}, DATABASE_URL beside it ${nameDatabase(databaseUrl)}`,
      )
    urls.set(databaseUrl, ownerUrl)
  }
  return urls
}
