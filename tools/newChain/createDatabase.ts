import { Client } from 'pg'

/** SQLSTATE of a database that does not exist. */
const missingDatabase = '3D000'

/**
 * Creates the database of a connection string, unless it exists.
 * @returns whether it was created
 * @throws Error when the server does not respond, or the role may not create databases
 */
export const createDatabase = async (databaseUrl: string): Promise<boolean> => {
  try {
    await connect(databaseUrl, async () => undefined)
    return false
  } catch (error) {
    if ((error as { code?: string }).code !== missingDatabase) throw error
  }
  const url = new URL(databaseUrl)
  const name = decodeURIComponent(url.pathname.slice(1))
  url.pathname = '/postgres'
  await connect(url.href, async (client) => {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
  return true
}

const connect = async (connectionString: string, work: (client: Client) => Promise<void>): Promise<void> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
