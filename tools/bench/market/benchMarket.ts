import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { devAccounts } from '../../stack/chain/devAccounts.ts'
import { sendFrom } from '../../stack/chain/sendFrom.ts'
import { prepareFolder } from '../../stack/folder/prepareFolder.ts'
import { startStack } from '../../stack/startStack.ts'
import type { Report } from '../figure.ts'
import { listMarketScenarios } from './marketScenarios.ts'
import type { MarketOutcome } from './readOutcome.ts'
import { type Market, runScenario } from './runScenario.ts'
import { toMarketTable } from './toMarketTable.ts'

const title = 'market'
/** block time of Gnosis Chain */
const blockSeconds = 5
/** seconds; until a scenario starts, blocks are mined by transactions only */
const longBlockTime = 3_600
const networks: ['gnosis'] = ['gnosis']
const trader = devAccounts[0]

/**
 * Trades orders beside other traders, with blocks of five seconds: how many are filled, how soon, at which price and
 * cost. The table of docs/solvers.md.
 */
export const benchMarket = async ({ quick }: { quick: boolean }, report: (report: Report) => void): Promise<void> => {
  const market = await startMarketStack()
  const outcomes: [string, MarketOutcome][] = []
  try {
    for (const scenario of listMarketScenarios(quick ? 4 : 20)) {
      outcomes.push([scenario.name, await runScenario(market, scenario)])
      console.log(toMarketTable(outcomes.slice(-1)).split('\n').at(-1))
    }
  } finally {
    if (outcomes.length > 0) report({ title, table: toMarketTable(outcomes), figures: outcomes, over: [] })
    await market.stop()
  }
}

const startMarketStack = async (): Promise<Market & { stop: () => Promise<void> }> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-market-'))
  const removeFolder = () => rm(dir, { recursive: true, force: true })
  try {
    await prepareFolder(dir, networks)
    const stack = await startStack({
      ...{ dir, networks, port: 0, rpcPort: 0, dbPort: 0, keepsData: false, blockTime: longBlockTime },
      // the statuses of orders are read at once
      vars: {
        gateway: { CACHE: 'off' },
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
    return { stack, database: connectDatabase(info.databaseUrl), trader, blockSeconds, stop }
  } catch (error) {
    await removeFolder()
    throw error
  }
}
