/** Name of a database in messages: its host, without credentials. */
export const toHost = (databaseUrl: string): string => URL.parse(databaseUrl)?.hostname ?? 'DATABASE_URL'
