import { Client } from 'pg'
import { connectDatabase, type Database } from '#schema/client.ts'
import type { LogPosition } from '#schema/queries/events/logPage.ts'
import { selectNewOrderEvents } from '#schema/queries/events/newOrderEvents.ts'
import { openPostgres } from '../stack/database/openPostgres.ts'
import { databaseEndpoint } from '../stack/databaseEndpoint.ts'

/** newest events of a network that a client reads again */
const replayed = 500
/** milliseconds for a query of a cold database */
const timeoutMs = 60_000

type Row = { id: string; written_by: string; order_uid: Buffer }

/**
 * Reads each network's newest events from a position before them, as a stream does, writes one more, and continues.
 * Changes the database: for a restored copy.
 * @param url of a Postgres server
 * @returns a line for each network whose stream loses or repeats an event
 */
export const checkStreams = async (url: string): Promise<string[]> => {
  const backend = openPostgres(url)
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    const { rows: chains } = await client.query<{ chain_id: number }>('select distinct chain_id from orders order by 1')
    const database = connectDatabase(endpoint.databaseUrl, timeoutMs)
    const faults: string[] = []
    for (const { chain_id: chainId } of chains) faults.push(...(await checkStream(client, database, chainId)))
    return faults
  } finally {
    await client.end()
    await endpoint.close()
    await backend.close()
  }
}

const checkStream = async (client: Client, database: Database, chainId: number): Promise<string[]> => {
  const { rows } = await client.query<Row>(
    `select e.id, e.written_by::text, e.order_uid from order_events e
    where e.chain_id = $1 and exists (select from orders o where o.chain_id = e.chain_id and o.uid = e.order_uid)
    order by e.written_by desc, e.id desc limit ${replayed + 1}`,
    [chainId],
  )
  const [start, ...expected] = rows.toReversed()
  const newest = rows[0]
  if (!start || !newest) return []
  const restored = await readAll(database, chainId, toPosition(start))
  const { rows: added } = await client.query<{ id: string }>(
    `insert into order_events (chain_id, order_uid, key, label) values ($1, $2, 'restored', 'ready') returning id`,
    [chainId, newest.order_uid],
  )
  const continued = await readAll(database, chainId, toPosition(newest))
  const isEqual = (found: number[], wanted: { id: string }[]) => found.join() === wanted.map(({ id }) => id).join()
  return [
    ...(isEqual(restored, expected)
      ? []
      : [`the stream of chain ${chainId} reads ${restored.length} of ${expected.length} restored events`]),
    ...(isEqual(continued, added)
      ? []
      : [`the stream of chain ${chainId} reads ${continued.length} events after the restore instead of 1`]),
  ]
}

const toPosition = ({ written_by: writtenBy, id }: Row): LogPosition => ({
  writtenBy: BigInt(writtenBy),
  id: Number(id),
})

const readAll = async (database: Database, chainId: number, after: LogPosition): Promise<number[]> => {
  const ids: number[] = []
  for (let position = after; ; ) {
    const page = await selectNewOrderEvents(database, chainId, position, 200)
    ids.push(...page.events.map(({ event }) => event.id))
    position = page.position
    if (page.isLast) return ids
  }
}
