import type { MigrationSession } from './migrationSession.ts'

/**
 * Lets the Workers' role read and write the rows of all tables, and call their functions, but define, truncate or drop
 * nothing; tables of later migrations, too. A repetition changes nothing.
 * @param session of the role that owns the tables
 * @throws Error when that role may not grant it
 */
export const grantRows = (session: MigrationSession, role: string): Promise<void> =>
  session.runTogether(buildGrants(`"${role.replaceAll('"', '""')}"`))

/** The role of a connection string. */
export const readRole = (databaseUrl: string): string => decodeURIComponent(new URL(databaseUrl).username)

const schemas = ['public', 'drizzle']

const buildGrants = (role: string): string[] => [
  ...schemas.map((schema) => `grant usage on schema ${schema} to ${role}`),
  // which migrations are applied
  `grant select on all tables in schema drizzle to ${role}`,
  `grant select, insert, update, delete on all tables in schema public to ${role}`,
  `grant usage, select on all sequences in schema public to ${role}`,
  `grant execute on all functions in schema public to ${role}`,
  `alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`,
  `alter default privileges in schema public grant usage, select on sequences to ${role}`,
  `alter default privileges in schema public grant execute on functions to ${role}`,
]
