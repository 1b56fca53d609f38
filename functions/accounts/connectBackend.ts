import { connectDatabase, type Database } from '#schema/client.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Settings } from './settings.ts'

export type BackendSettings = Pick<Settings, 'CMS_ENABLED' | 'CMS_API_KEY' | 'DATABASE_URL'>

type Work<Arguments extends unknown[], Result> = (...args: Arguments) => Promise<Result>

/** Passes the database to functions of notifications and subscriptions. */
export type WithBackend = <Arguments extends unknown[], Result>(
  work: Work<[Database, ...Arguments], Result>,
) => Work<Arguments, Result>

/**
 * The backend of notifications and subscriptions.
 * @returns wrapper whose functions reject with an ApiError, `ServiceUnavailable`, when the backend is switched off (interface
 *   specification, Authentication 11): `data` names the missing settings
 */
export const connectBackend = (settings: BackendSettings): WithBackend => {
  const { DATABASE_URL } = settings
  const missing = findMissing(settings)
  if (missing.length > 0 || !DATABASE_URL) {
    const data = { settings: missing }
    return () => async () => {
      throw new ApiError('ServiceUnavailable', { description: 'notifications are switched off', data })
    }
  }
  const database = connectDatabase(DATABASE_URL)
  return (work) =>
    (...args) =>
      work(database, ...args)
}

/** Missing settings of the backend; empty when it is on. */
export const findMissing = (settings: BackendSettings): string[] =>
  (['CMS_ENABLED', 'CMS_API_KEY', 'DATABASE_URL'] as const).filter((name) => !settings[name])
