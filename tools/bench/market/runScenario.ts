import { setTimeout as sleep } from 'node:timers/promises'
import { eq, max } from 'drizzle-orm'
import type { Hex } from 'viem'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { startHarshChain } from '../../stack/chain/harsh/startHarshChain.ts'
import type { Stack } from '../../stack/startStack.ts'
import { createOptimumFinder } from './createOptimumFinder.ts'
import { createOrderPlacer } from './createOrderPlacer.ts'
import { type MarketScenario, toSale } from './marketScenarios.ts'
import { type MarketOutcome, type MeasuredOrder, readOutcome } from './readOutcome.ts'
import type { MarketStack } from './startMarketStack.ts'

const seed = 1
const pollMs = 200
/** orders that are placed at the same time */
const lanes = 10
/** after the last order; then the rest counts as not filled */
const maxBlocks = 40
/** on a chain with a block for each transaction, whose blocks tell no time */
const maxSeconds = 120

type Market = Pick<MarketStack, 'stack' | 'database' | 'trader'> & { blockSeconds: number }

/**
 * Places the orders of a scenario and waits until all have filled, or for forty blocks.
 * @throws Error when an order is refused
 */
export const runScenario = async (market: Market, scenario: MarketScenario): Promise<MarketOutcome> => {
  const { stack, database, blockSeconds } = market
  const { chain, info } = stack
  const { competitors } = scenario
  await chain.setAutomine(true)
  const harsh =
    competitors && (await startHarshChain(chain, info, { seed, competitors, swingsBaseFee: true, blockSeconds }))
  try {
    const [newest] = await database
      .select({ id: max(settlementAttempts.auctionId) })
      .from(settlementAttempts)
      .where(eq(settlementAttempts.chainId, info.chainId))
    const readHead = async () => Number(await chain.getBlockNumber())
    const orders = await placeOrders(market, scenario, readHead)
    const deps = {
      database,
      chainId: info.chainId,
      findCalldata: async (hash: Hex) => (await chain.getTransaction({ hash })).input,
      findOptimum: createOptimumFinder(info),
    }
    const isFilled = async () =>
      (await Promise.all(orders.map(({ uid }) => findStatus(info, uid)))).every((status) => status === 'fulfilled')
    const [last, deadline] = [await readHead(), Date.now() + maxSeconds * 1_000]
    const isOver = async () => (competitors ? (await readHead()) - last >= maxBlocks : Date.now() > deadline)
    while (!(await isFilled()) && !(await isOver())) await sleep(pollMs)
    return await readOutcome(deps, orders, newest?.id ?? 0)
  } finally {
    await harsh?.stop()
  }
}

const placeOrders = async (
  { stack: { info }, trader }: Market,
  { orders, pairs, pace }: MarketScenario,
  readHead: () => Promise<number>,
): Promise<MeasuredOrder[]> => {
  const place = createOrderPlacer(info, trader)
  const placed: MeasuredOrder[] = []
  const placeNext = async (index: number) => {
    const pair = pairs[index % pairs.length] as (typeof pairs)[number]
    const { uid } = await place(toSale(info, pair, index))
    placed.push({ uid, block: await readHead() })
  }
  if (pace === 'block') {
    for (let index = 0; index < orders; index += 1) {
      await placeNext(index)
      const head = await readHead()
      while (index < orders - 1 && (await readHead()) === head) await sleep(pollMs)
    }
    return placed
  }
  const left = Array.from({ length: orders }, (_, index) => index)
  const runLane = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) await placeNext(index)
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  return placed
}

const findStatus = async ({ baseUrl, network }: Stack['info'], uid: Hex): Promise<string> => {
  const response = await fetch(`${baseUrl}/${network}/api/v1/orders/${uid}`)
  return ((await response.json()) as { status: string }).status
}
