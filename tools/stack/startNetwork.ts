import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'
import { type PreparedChain, prepareChain } from './chain/prepareChain.ts'
import { type Anvil, startAnvil } from './chain/startAnvil.ts'
import { startRpcProxy } from './chain/startRpcProxy.ts'
import { findPort } from './processes/findPort.ts'
import type { Reaper } from './processes/startReaper.ts'

/** The local chain of a network and its contracts. */
export type LocalNetwork = {
  network: Network
  anvil: Anvil
  /** address for programs and wallets of this machine; Workers use `anvil.rpcUrl`, one hop less */
  rpcUrl: string
  prepared: PreparedChain
}

/**
 * Starts the chain of a network, prepared for trading and continued from `dir`.
 * @param options.undo receives functions that stop the started parts
 */
export const startNetwork = async (options: {
  network: Network
  dir: string
  rpcPort: number
  blockTime: number
  secondsBehind?: number | undefined
  solvers: Address[]
  traders: Address[]
  reaper: Reaper
  log: (line: string) => void
  undo: (() => unknown)[]
}): Promise<LocalNetwork> => {
  const { network, dir, blockTime, secondsBehind, reaper, log, undo, solvers, traders } = options
  await mkdir(join(dir, 'logs'), { recursive: true })
  const publicPort = await findPort(options.rpcPort, 'RPC_PORT')
  const anvil = await startAnvil({
    dir,
    port: await findPort(0, 'RPC_PORT'),
    chainId: network.chainId,
    blockTime,
    secondsBehind,
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
