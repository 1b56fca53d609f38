import { Client } from 'pg'
import { connectDatabase, type Database } from '#schema/client.ts'
import { insertHistory } from '#tools/bench/history/insertHistory.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { answerInProcess } from '../server/answerInProcess.ts'
import { createOnServer, databasesOfRun, runOnServer } from '../server/createOnServer.ts'
import { describeHistory, type History } from './describeHistory.ts'
import { type ExplainedStatement, explainStatements } from './explainStatements.ts'

export const historyOrders = Number(process.env.HISTORY_ORDERS ?? (process.env.LONG ? 2_000_000 : 20_000))
/** of one call, or of writing the history */
export const historyPatienceMs = 1_800_000
/** Locks of the server, for all processes of a run: one writes the history, one measures at a time. */
const [writing, measuring] = [4_501, 4_502]

export type ServerHistory = {
  history: History
  database: Database
  /** @returns the statements that run meanwhile */
  explain: (run: () => PromiseLike<unknown>) => Promise<ExplainedStatement[]>
}

let shared: Promise<ServerHistory> | undefined

/**
 * The long history on a server: one database for all processes of a run, written when the first test needs it. Its statements
 * are explained, and what they write is undone.
 */
export const serverHistory = (server: string): Promise<ServerHistory> => {
  shared ??= open(server)
  return shared
}

const open = async (server: string): Promise<ServerHistory> => {
  const locks = new Client({ connectionString: server })
  await locks.connect()
  const alone = async <Result>(lock: number, run: () => Promise<Result>): Promise<Result> => {
    await locks.query(`select pg_advisory_lock(${lock})`)
    return run().finally(() => locks.query(`select pg_advisory_unlock(${lock})`))
  }
  const history = describeHistory(historyOrders)
  const url = await alone(writing, () => findOrWrite(server, history))
  let explained: ExplainedStatement[] = []
  const backend = await explainStatements(url, (statement) => {
    explained.push(statement)
  })
  return {
    history,
    database: connectDatabase(
      'postgres://in:process@127.0.0.1/history',
      historyPatienceMs,
      answerInProcess(backend).send,
    ),
    explain: (run) =>
      alone(measuring, async () => {
        explained = []
        await run()
        return explained
      }),
  }
}

/** URL of the database, which has its name only once it is complete. */
const findOrWrite = async (server: string, { chainId, orders }: History): Promise<string> => {
  const name = `${databasesOfRun()}history`
  const found = await runOnServer(server, `select from pg_database where datname = '${name}'`)
  if (found.length === 0) {
    const { url } = await createOnServer(server)
    const backend = openPostgres(url)
    const endpoint = await databaseEndpoint({ backend, port: 0 })
    await applyMigrations(endpoint.databaseUrl)
    await endpoint.close()
    await backend.close()
    await insertHistory(url, chainId, orders)
    await runOnServer(server, `alter database ${new URL(url).pathname.slice(1)} rename to ${name}`)
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}
