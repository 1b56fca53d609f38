import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export type ServerDatabase = { url: string; drop: () => Promise<void> }

/**
 * Creates an empty database with a name of its own.
 * @param server URL of a Postgres server, of a role that may create databases
 */
export const createOnServer = async (server: string): Promise<ServerDatabase> => {
  const name = `edgebook_test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnServer(server, `drop database ${name} with (force)`) }
}

const runOnServer = async (server: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
