import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'
import { type PreparedChain, prepareChain } from './chain/prepareChain.ts'
import { type Anvil, startAnvil } from './chain/startAnvil.ts'
import { startRpcProxy } from './chain/startRpcProxy.ts'
import { findPort } from './processes/findPort.ts'
import type { Reaper } from './processes/startReaper.ts'

/** The local chain that stands for a network, and what is on it. */
export type LocalNetwork = {
  network: Network
  anvil: Anvil
  /** where programs and wallets of this machine reach the chain; Workers take `anvil.rpcUrl`, which spares a hop */
  rpcUrl: string
  prepared: PreparedChain
}

/**
 * Starts the chain of a network with everything that trading needs on it, continued from `dir`.
 * @param options.undo gets what stops it, as soon as it runs
 */
export const startNetwork = async (options: {
  network: Network
  dir: string
  rpcPort: number
  blockTime: number
  solvers: Address[]
  traders: Address[]
  reaper: Reaper
  log: (line: string) => void
  undo: (() => unknown)[]
}): Promise<LocalNetwork> => {
  const { network, dir, blockTime, reaper, log, undo, solvers, traders } = options
  await mkdir(join(dir, 'logs'), { recursive: true })
  const publicPort = await findPort(options.rpcPort, 'RPC_PORT')
  const anvil = await startAnvil({
    dir,
    port: await findPort(0, 'RPC_PORT'),
    chainId: network.chainId,
    blockTime,
    reaper,
    log: (line) => log(`[anvil] ${line}`),
  })
  undo.push(anvil.stop)
  const proxy = await startRpcProxy(publicPort, anvil.rpcUrl)
  undo.push(proxy.stop)
  const prepared = await prepareChain(anvil.chain, { network, solvers, traders })
  log(anvil.isNew ? 'chain: contracts, tokens and pools deployed' : 'chain: continued')
  return { network, anvil, rpcUrl: proxy.rpcUrl, prepared }
}
