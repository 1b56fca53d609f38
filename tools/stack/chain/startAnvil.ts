import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProcessGroup, spawnGroup } from '../processes/spawnGroup.ts'
import type { Reaper } from '../processes/startReaper.ts'
import { waitUntil } from '../processes/waitUntil.ts'
import { connectLocalChain, type LocalChain } from './connectLocalChain.ts'
import { findAnvilBinary } from './findAnvilBinary.ts'
import { keepSnapshots } from './keepSnapshots.ts'

/** Number of old states that calls may read; `finalized` is 64 blocks behind. */
const keptStates = 128

export type Anvil = {
  rpcUrl: string
  chain: LocalChain
  /** whether the chain is new */
  isNew: boolean
  group: ProcessGroup
  /** Starts to write the chain to the stack's folder, now and every few seconds. */
  keep: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts the local chain, continued from the stack's folder: a block per transaction, and one per interval without.
 * @param options.blockTime seconds between two blocks
 */
export const startAnvil = async (options: {
  dir: string
  port: number
  chainId: number
  blockTime: number
  /** without anvil's deterministic deployer; false when omitted */
  isBare?: boolean
  /** number of the first block of a new chain; 0 when omitted */
  firstBlock?: number
  /** seconds by which the clock of a new chain is behind; 0 when omitted */
  secondsBehind?: number | undefined
  reaper: Reaper
  log?: ((line: string) => void) | undefined
}): Promise<Anvil> => {
  const folder = join(options.dir, 'chain')
  await mkdir(folder, { recursive: true })
  const stateFile = join(folder, 'state.json')
  const isNew = !existsSync(stateFile)
  const rpcUrl = `http://127.0.0.1:${options.port}`
  const flags = {
    '--host': '127.0.0.1',
    '--port': options.port,
    '--chain-id': options.chainId,
    // pages that find this port cannot read responses; `startRpcProxy` serves local pages
    '--allow-origin': rpcUrl,
    '--block-time': options.blockTime,
    '--prune-history': keptStates,
    ...(isNew ? { '--number': options.firstBlock ?? 0 } : { '--load-state': stateFile }),
    ...(isNew && options.secondsBehind ? { '--timestamp': nowSeconds() - options.secondsBehind } : {}),
  }
  const group = await spawnGroup({
    name: 'anvil',
    command: findAnvilBinary(),
    args: [
      '--quiet',
      '--mixed-mining',
      ...(options.isBare ? ['--disable-default-create2-deployer'] : []),
      ...Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]),
    ],
    env: { HOME: folder },
    logFile: join(options.dir, 'logs/anvil.log'),
    reaper: options.reaper,
    log: options.log,
  })
  const chain = connectLocalChain(rpcUrl, options.chainId)
  try {
    await waitUntil('anvil answers', async () => (await chain.getChainId()) === options.chainId, {
      timeoutMs: 120_000,
      ended: group.ended,
    })
    await catchUp(chain)
  } catch (error) {
    await group.kill()
    throw error
  }
  let snapshots: Awaited<ReturnType<typeof keepSnapshots>> | undefined
  return {
    rpcUrl,
    chain,
    isNew,
    group,
    keep: async () => {
      snapshots ??= await keepSnapshots(rpcUrl, stateFile)
    },
    stop: async () => {
      await snapshots?.stop()
      await group.stop()
    },
  }
}

/** Continues a chain whose clock is ahead: a block is never older than its parent. */
const catchUp = async (chain: LocalChain): Promise<void> => {
  const { timestamp } = await chain.getBlock()
  const ahead = Number(timestamp) - nowSeconds()
  if (ahead > 0) await chain.increaseTime({ seconds: ahead })
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000)
