import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { NetworkName } from '#shared/networks.ts'
import { toDirectUrl } from '../migrations/migrationSession.ts'
import { log } from './log.ts'

/** A killed process holds its locks until its server notices; of a machine that vanished it does so earlier. */
const waitMs = 30_000
const keepAlives = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 4; set tcp_keepalives_count = 3'
const retryMs = 1_000

export type ClockLocks = {
  /** resolves with the reason when another process took them */
  lost: Promise<string>
  release: () => Promise<void>
}

/**
 * Locks the auction clock of each network in each database, so that two machines never run one: the runtime itself
 * guarantees one clock in this process only. Locks of a lost connection are taken again.
 * @throws Error when another process has one
 */
export const lockClocks = async (
  databaseUrls: readonly string[],
  networks: readonly NetworkName[],
): Promise<ClockLocks> => {
  const lost = Promise.withResolvers<string>()
  const locks: (() => Promise<void>)[] = []
  for (const url of databaseUrls) locks.push(await lockDatabase(url, networks, lost.resolve))
  return {
    lost: lost.promise,
    release: async () => {
      for (const release of locks) await release()
    },
  }
}

const lockDatabase = async (
  databaseUrl: string,
  networks: readonly NetworkName[],
  onLost: (reason: string) => void,
): Promise<() => Promise<void>> => {
  let isReleased = false
  let client = await connect(databaseUrl, networks)
  const follow = (): void => {
    client.once('end', () => {
      if (!isReleased) void regain()
    })
  }
  const regain = async (): Promise<void> => {
    while (!isReleased) {
      await sleep(retryMs)
      try {
        client = await connect(databaseUrl, networks)
        return follow()
      } catch (error) {
        log({ message: 'the locks of the clocks are lost', cause: String(error) })
        if (error instanceof TakenError) return onLost(error.message)
      }
    }
  }
  follow()
  return async () => {
    isReleased = true
    await client.end().catch(() => undefined)
  }
}

class TakenError extends Error {}

const connect = async (databaseUrl: string, networks: readonly NetworkName[]): Promise<Client> => {
  const client = new Client({
    connectionString: toDirectUrl(databaseUrl),
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(keepAlives)
    for (const network of networks) await lock(client, network)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

const lock = async (client: Client, network: NetworkName): Promise<void> => {
  const deadline = Date.now() + waitMs
  for (;;) {
    const statement = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as free'
    const { rows } = await client.query<{ free: boolean }>(statement, [`edgebook clock ${network}`])
    if (rows[0]?.free) return
    if (Date.now() > deadline) throw new TakenError(`another process serves ${network} with this database`)
    await sleep(retryMs)
  }
}
