import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export type ServerDatabase = { url: string; drop: () => Promise<void> }

/**
 * Creates an empty database with a name of its own.
 * @param server URL of a Postgres server, of a role that may create databases
 */
export const createOnServer = async (server: string): Promise<ServerDatabase> => {
  const name = `${databasesOfRun()}${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnServer(server, `drop database ${name} with (force)`).then(() => undefined) }
}

/** What the names of all databases of a run begin with; `dropDatabases` sets the run. */
export const databasesOfRun = (): string => `edgebook_test_${process.env.TEST_RUN ?? ''}_`

export const runOnServer = async (server: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: server })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}
