import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Hex, numberToHex, pad, zeroHash } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { insertBlocks } from '#schema/queries/chain/blocks.ts'
import { insertConditionalOrders } from '#schema/queries/strategies/insertConditionalEvents.ts'
import { conditionalOrders } from '#schema/tables/chain/conditionalOrders.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { networks } from '#shared/networks.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { encodeTwap } from '#shared/strategies/twap.ts'
import { connectLocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { toMappingSlot } from '#tools/stack/chain/toMappingSlot.ts'
import { type Report, toReport } from '../figure.ts'
import { startMarket } from './startMarket.ts'
import type { StrategiesCost } from './strategiesProcess.ts'

const { chainId, composableCow } = networks.sepolia
const size = 10_000
const owners = 500
const rowsOfInsert = 500
const warmBlocks = 5
const budget = { cpuMs: 300, calls: 10 }
/** place of `singleOrders` in contracts/ComposableCow.sol */
const singleOrdersSlot = 1n
/** of a wallet that checks signatures itself: it refuses all calls */
const walletCode: Hex = '0x5f5ffd'
/**
 * Blocks with 10,000 live conditional orders of 500 owners: one in which none is due, and two in which all are, before their
 * start, when none has a part, and after it, when each has one. The CPU time is that of a process of its own.
 */
export const benchStrategies = async (report: (report: Report) => void): Promise<void> => {
  const market = await startMarket()
  const worker = fork(join(import.meta.dirname, 'strategiesProcess.ts'), [JSON.stringify(market)])
  try {
    const chain = connectLocalChain(market.rpcUrl, chainId)
    const database = connectDatabase(market.databaseUrl)
    const start = Number((await chain.getBlock()).timestamp) + 100_000
    const rows = Array.from({ length: size }, (_, i) => buildTwap(i, start))
    await mapBounded(rows, 50, ({ owner, hash }) =>
      chain.setStorageAt({
        address: composableCow,
        index: toMappingSlot(hash, toMappingSlot(owner, singleOrdersSlot)),
        value: numberToHex(1, { size: 32 }),
      }),
    )
    await mapBounded(rows.slice(0, owners), 50, ({ owner }) => chain.setCode({ address: owner, bytecode: walletCode }))
    for (let i = 0; i < size; i += rowsOfInsert) {
      await insertConditionalOrders(database, chainId, rows.slice(i, i + rowsOfInsert))
    }
    const advance = async (): Promise<StrategiesCost> => {
      await market.mine()
      const { number, hash, timestamp } = await chain.getBlock()
      await insertBlocks(database, chainId, [
        { number: Number(number), hash, timestamp: new Date(Number(timestamp) * 1_000) },
      ])
      worker.send('advance')
      const [cost] = (await once(worker, 'message')) as [StrategiesCost]
      return cost
    }
    const warmUp = async () => {
      for (let i = 0; i < warmBlocks; i++) {
        await setDue(0)
        await advance()
      }
    }
    const setDue = (nextTime: number) => database.update(conditionalOrders).set({ nextTime, nextBlock: 0 })
    const measure = async (title: string, nextTime: number) => {
      await setDue(nextTime)
      report(toReport(`10,000 conditional orders: ${title}`, toFigures(await advance())))
    }
    await warmUp()
    await measure('none due', 2 * start)
    await measure('all due, none has a part', 0)
    await chain.setNextBlockTimestamp({ timestamp: BigInt(start) })
    await warmUp()
    await measure('all due, each has a part', 0)
  } finally {
    worker.kill()
    await market.stop()
  }
}

const buildTwap = (seed: number, start: number) => {
  const owner = pad(numberToHex(0x1_0000 + (seed % owners)), { dir: 'right', size: 20 })
  const [sellToken, buyToken] = [networks.sepolia.wrappedNative, composableCow]
  // orders of one owner with the same terms are one order
  const staticInput = encodeTwap({
    ...{ sellToken, buyToken, receiver: owner, partSellAmount: 1_000n + BigInt(seed), minPartLimit: 900n },
    ...{ t0: BigInt(start), n: 4n, t: 3_600n, span: 0n, appData: zeroHash },
  })
  const params = { handler: publicContracts.twap, salt: numberToHex(seed, { size: 32 }), staticInput }
  const event = { blockNumber: 1, logIndex: seed, transactionHash: null }
  return { owner, hash: hashParams(params), ...params, proof: [], ...event }
}

const toFigures = ({ cpuMs, rpc, database, judged, placed }: StrategiesCost) => [
  { name: 'CPU', value: cpuMs, unit: 'ms', budget: budget.cpuMs },
  { name: 'node calls', value: rpc, unit: '', budget: budget.calls },
  { name: 'database round trips', value: database, unit: '' },
  { name: 'evaluated', value: judged, unit: '' },
  { name: 'parts placed', value: placed, unit: '' },
]
