import { join } from 'node:path'
import type { Address } from 'viem'
import { type NetworkName, networks } from '#shared/networks.ts'
import { applyMigrations } from './applyMigrations.ts'
import { devAccounts } from './chain/devAccounts.ts'
import { checkSameChain } from './database/checkSameChain.ts'
import { openDatabase } from './database/openDatabase.ts'
import type { SqlBackend } from './database/sqlBackend.ts'
import { type DatabaseEndpoint, databaseEndpoint } from './databaseEndpoint.ts'
import { settle } from './processes/settle.ts'
import type { Reaper } from './processes/startReaper.ts'
import { type LocalNetwork, startNetwork } from './startNetwork.ts'

/** Accounts with ether and every token. */
export const traders = devAccounts.slice(0, 4)
/** The stack's solvers, on the allow-list of every chain. */
export const ownSolvers = [
  { name: 'direct', account: devAccounts[8] },
  { name: 'multihop', account: devAccounts[9] },
] as const

/** Accounts of solver engines, on the allow-list when one is named. */
export const engineAccounts = devAccounts.slice(4, 7)

/** Running stores of a stack's folder: the chain of each network and the database. */
export type Stores = { local: LocalNetwork[]; endpoint: DatabaseEndpoint }

/**
 * Starts chains, prepared for trading, and the migrated database, all continued from `dir` and written to it.
 * @param options.networks each with its own chain; Sepolia when omitted
 * @param options.solvers accounts on the allow-list beside those of the stack
 * @param options.database an open database, migrated, which stays open
 * @param options.keepsData whether chains and database are written to `dir`; true when omitted
 * @param options.undo receives functions that stop the started parts
 * @throws Error in one line
 */
export const startStores = async (options: {
  dir: string
  networks?: readonly NetworkName[] | undefined
  rpcPort: number
  dbPort: number
  fresh?: boolean
  databaseUrl?: string | undefined
  database?: SqlBackend | undefined
  blockTime?: number | undefined
  secondsBehind?: number | undefined
  solvers?: readonly Address[]
  keepsData?: boolean | undefined
  reaper: Reaper
  log: (line: string) => void
  undo: (() => unknown)[]
}): Promise<Stores> => {
  const {
    dir,
    networks: names = ['sepolia'],
    fresh = false,
    keepsData = true,
    solvers = [],
    reaper,
    log,
    undo,
  } = options
  const bringUpNetworks = () => {
    const started = names.map((name, index) =>
      startNetwork({
        network: networks[name],
        dir: index === 0 ? dir : join(dir, name),
        rpcPort: index === 0 ? options.rpcPort : 0,
        blockTime: options.blockTime ?? 2,
        secondsBehind: options.secondsBehind,
        solvers: [...ownSolvers.map(({ account }) => account.address), ...solvers],
        traders: traders.map(({ address }) => address),
        reaper,
        log,
        undo,
      }),
    )
    return settle(...started)
  }
  const bringUpDatabase = async () => {
    const { database, databaseUrl } = options
    const backend = database ?? (await openDatabase({ dir, databaseUrl, fresh, keepsData }))
    if (!database) undo.push(backend.close)
    const endpoint = await databaseEndpoint({ backend, port: options.dbPort })
    undo.push(endpoint.close)
    const applied = await applyMigrations(endpoint.databaseUrl)
    log(applied > 0 ? 'database: schema migrated' : 'database: continued')
    return { backend, endpoint }
  }
  const [local, { backend, endpoint }] = await settle(bringUpNetworks(), bringUpDatabase())
  const firstBlocks = await Promise.all(local.map(({ anvil }) => anvil.chain.getBlock({ blockNumber: 1n })))
  await checkSameChain(backend, {
    firstBlock: firstBlocks.map(({ hash }) => hash).join(),
    // a stack without storage continues a prepared chain with an empty database
    isNew: !keepsData || local.some(({ anvil }) => anvil.isNew),
  })
  if (keepsData) await Promise.all(local.map(({ anvil }) => anvil.keep()))
  return { local, endpoint }
}
