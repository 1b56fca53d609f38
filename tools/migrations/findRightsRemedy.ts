import { describeError } from '#shared/http/describeError.ts'

/** Remedy for an error of Postgres about the rights of a role; undefined for any other error. */
export const findRightsRemedy = (error: unknown): string | undefined =>
  /permission denied|must be owner/.test(describeError(error))
    ? 'let the role of DATABASE_URL own the database, or set MIGRATIONS_DATABASE_URL to one that does (docs/deploy.md, "A role for the Workers")'
    : undefined
