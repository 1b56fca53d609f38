import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { connectDatabase, type Database } from '#schema/client.ts'
import { type DevAccount, devAccounts } from '../../stack/chain/devAccounts.ts'
import { sendFrom } from '../../stack/chain/sendFrom.ts'
import { prepareFolder } from '../../stack/folder/prepareFolder.ts'
import { type Stack, type StackOptions, startStack } from '../../stack/startStack.ts'

/** A running stack on which an account with tokens and approvals trades. */
export type MarketStack = { stack: Stack; database: Database; trader: DevAccount; stop: () => Promise<void> }

/** Header in which a client of this stack names its address. */
export const benchAddressHeader = 'X-Client-Address'

const networks: ['gnosis'] = ['gnosis']
const trader = devAccounts[0]

/** Starts a stack in a folder of its own that neither caches statuses of orders nor limits the trader's orders. */
export const startMarketStack = async ({
  blockTime,
  harsh,
}: Pick<StackOptions, 'blockTime' | 'harsh'>): Promise<MarketStack> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-market-'))
  const removeFolder = () => rm(dir, { recursive: true, force: true })
  try {
    await prepareFolder(dir, networks)
    const stack = await startStack({
      ...{ dir, networks, port: 0, rpcPort: 0, dbPort: 0, keepsData: false },
      ...(blockTime === undefined ? {} : { blockTime }),
      ...(harsh ? { harsh } : {}),
      vars: {
        // the statuses of orders are read at once
        gateway: { CACHE: 'off', CLIENT_ADDRESS_HEADER: benchAddressHeader },
        orders: { MAX_LIMIT_ORDERS_PER_USER: '100000', MAX_OPEN_ORDERS_PER_USER: '100000' },
      },
    })
    const { chain, info } = stack
    const args = [info.contracts.vaultRelayer, maxUint256] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    for (const { address } of Object.values(info.tokens)) await sendFrom(chain, trader.address, { to: address, data })
    const stop = async () => {
      await stack.stop()
      await removeFolder()
    }
    return { stack, database: connectDatabase(info.databaseUrl), trader, stop }
  } catch (error) {
    await removeFolder()
    throw error
  }
}
