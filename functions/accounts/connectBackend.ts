import { connectDatabase, type Database } from '#schema/client.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Settings } from './settings.ts'

export type BackendSettings = Pick<Settings, 'CMS_ENABLED' | 'CMS_API_KEY' | 'DATABASE_URL'>

/**
 * The database of notifications and subscriptions.
 * @throws ApiError `ServiceUnavailable` while the backend is switched off (interface specification, Authentication 11): `data`
 *   names the missing settings
 */
export type FindDatabase = () => Database

/** Connects to the backend of notifications and subscriptions. */
export const connectBackend = (settings: BackendSettings): FindDatabase => {
  const missing = findMissing(settings)
  const database = settings.DATABASE_URL && missing.length === 0 ? connectDatabase(settings.DATABASE_URL) : undefined
  return () => {
    if (database) return database
    throw new ApiError('ServiceUnavailable', {
      description: 'notifications are switched off',
      data: { settings: missing },
    })
  }
}

/** Missing settings of the backend; empty when it is on. */
export const findMissing = (settings: BackendSettings): string[] =>
  (['CMS_ENABLED', 'CMS_API_KEY', 'DATABASE_URL'] as const).filter((name) => !settings[name])
