import { randomBytes } from 'node:crypto'
import { databasesOfRun, runOnServer } from './createOnServer.ts'

/** Global setup: names the run. Afterwards the databases that its processes have left on the server are dropped. */
export const setup = (): (() => Promise<void>) => {
  process.env.TEST_RUN = randomBytes(4).toString('hex')
  return async () => {
    const server = process.env.TEST_DATABASE_URL
    if (!server) return
    const names = await runOnServer(
      server,
      `select datname from pg_database where starts_with(datname, '${databasesOfRun()}')`,
    )
    for (const { datname } of names) await runOnServer(server, `drop database ${datname} with (force)`)
  }
}
