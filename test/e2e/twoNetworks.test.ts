import { sql } from 'drizzle-orm'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { findDebugReport } from '#tools/demo/printTimeline.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { expectDatabaseAgreesWithChain } from '../helpers/chain/expectDatabaseAgreesWithChain.ts'
import { connectOrderBook } from '../helpers/console/orderBook.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let baseUrl: string
let both: [StackInfo, StackInfo]
let uids: string[]
let received: bigint[]

/** Equal on both networks: tokens, amounts, validity, owner. */
const buildTerms = () => ({
  sellToken: tokenOf(both[0], 'DAI'),
  buyToken: tokenOf(both[0], 'COW'),
  sellAmount: parseUnits('300', 18),
  buyAmount: parseUnits('500', 18),
  validTo: Math.floor(Date.now() / 1_000) + 600,
})
const tokenOf = ({ tokens }: StackInfo, symbol: string) => tokens[symbol]?.address as Address
const get = (path: string) => fetch(baseUrl + path)
const send = async <Answer>(path: string) => (await (await get(path)).json()) as Answer

beforeAll(async () => {
  stack = await startTestStack({
    networks: ['sepolia', 'gnosis'],
    vars: { gateway: { CACHE: 'memory' } },
  })
  both = stack.infos as [StackInfo, StackInfo]
  baseUrl = both[0].baseUrl
  const [account] = both[0].accounts
  const privateKey = account?.privateKey as Hex
  const traders = both.map((info) => connectTrader(info, privateKey))
  const terms = buildTerms()
  await Promise.all(traders.map((trader) => trader.approveRelayer(terms.sellToken)))
  const before = await Promise.all(traders.map((trader) => trader.findBalance(terms.buyToken)))
  uids = await Promise.all(both.map((info) => postSignedOrder(info, privateKey, terms)))
  await Promise.all(
    both.map((info, i) => connectOrderBook(info).waitFor(uids[i] as string, ({ status }) => status === 'fulfilled')),
  )
  const after = await Promise.all(traders.map((trader) => trader.findBalance(terms.buyToken)))
  received = after.map((balance, i) => balance - (before[i] ?? 0n))
})

afterAll(() => stack?.stop())

describe('two networks behind one gateway and one database', () => {
  test('the same order has two UIDs, and each settles on its own chain', async () => {
    expect(uids[0]).not.toBe(uids[1])
    for (const [i, info] of both.entries()) {
      const [trade, ...others] = await connectOrderBook(info).get<{ buyAmount: string; txHash: Hex }[]>(
        `/trades?orderUid=${uids[i]}`,
      )
      expect(others).toEqual([])
      expect(BigInt(trade?.buyAmount ?? 0)).toBe(received[i])
      const hash = trade?.txHash as Hex
      expect(await stack.chains[i]?.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      await expect(stack.chains[1 - i]?.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
    }
  })

  test('no read shows an order of the other network', async () => {
    const owner = both[0].accounts[0]?.address
    for (const [i, { network }] of both.entries()) {
      const [own, other] = [uids[i], uids[1 - i]]
      const api = `/${network}/api/v1`
      // the stream of an unknown order waits for it
      for (const path of [`/orders/${other}`, `/orders/${other}/status`, `/debug/order/${other}`])
        expect([path, (await get(api + path)).status]).toEqual([path, 404])
      const listed = await send<{ uid: string }[]>(`${api}/account/${owner}/orders`)
      expect(listed.map(({ uid }) => uid)).toEqual([own])
      expect(await send(`${api}/trades?orderUid=${other}`)).toEqual([])
      const trades = await send<{ orderUid: string }[]>(`${api}/trades?owner=${owner}`)
      expect(trades.map(({ orderUid }) => orderUid)).toEqual([own])
      const found = await fetch(`${baseUrl}${api}/orders/by_uids`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(uids),
      })
      expect(((await found.json()) as { order: { uid: string } }[]).map(({ order }) => order.uid)).toEqual([own])
    }
  })

  test('a notification names its network, and a list can be of one', async () => {
    type Listed = { type: string; metadata: { chainId: number; orderUid: string } }[]
    const path = `/accounts/${both[0].accounts[0]?.address}/notifications`
    const filled = (await send<Listed>(path)).filter(({ type }) => type === 'order_filled')
    const toPair = ({ metadata: { chainId, orderUid } }: Listed[number]) => [chainId, orderUid]
    expect(filled.map(toPair).toSorted()).toEqual(both.map(({ chainId }, i) => [chainId, uids[i]]).toSorted())
    const ofGnosis = await send<Listed>(`${path}?network=xdai&type=order_filled`)
    expect(ofGnosis.map(toPair)).toEqual([[both[1].chainId, uids[1]]])
  })

  test('prices, holders and details are there on both, by name, alias and chain id', async () => {
    for (const network of ['gnosis', 'xdai', '100', 'sepolia', '11155111'])
      for (const path of ['-/usdPrice', `${tokenOf(both[1], 'DAI')}/topHolders`, `${tokenOf(both[1], 'DAI')}/details`])
        expect([network, path, (await get(`/${network}/tokens/${path}`)).status]).toEqual([network, path, 200])
    const details = await send<{ symbol: string }>('/xdai/tokens/-/details')
    expect(details.symbol).toBe('xDAI')
  })

  test('a reorganisation of one network undoes and repeats its fill, and changes no row of the other', async () => {
    const [chain, otherChain] = stack.chains
    const [info, other] = both
    const database = connectDatabase(info.databaseUrl)
    const privateKey = info.accounts[0]?.privateKey as Hex
    const fill = async (network: StackInfo): Promise<string> => {
      const terms = { ...buildTerms(), validTo: Math.floor(Date.now() / 1_000) + 900 }
      const uid = await postSignedOrder(network, privateKey, terms)
      await connectOrderBook(network).waitFor(uid, ({ status }) => status === 'fulfilled')
      return uid
    }
    const findTrade = async (uid: string) => {
      const trades = await connectOrderBook(info).get<{ blockNumber: number }[]>(`/trades?orderUid=${uid}`)
      return trades[0]?.blockNumber ?? 0
    }
    const readOther = async () => {
      const rows: Record<string, Row[]> = {}
      for (const table of undoneTables) {
        const found = await database.execute<{ row: Row }>(
          sql`select to_jsonb(t) as row from ${sql.identifier(table)} as t where chain_id = ${other.chainId} order by to_jsonb(t)::text`,
        )
        rows[table] = found.rows.map(({ row }) => row)
      }
      const account = `/accounts/${other.accounts[0]?.address}/notifications?network=xdai`
      return { rows, listed: await send(account) }
    }
    // rows of the other network stand above every block that is replaced
    await otherChain?.mine({ blocks: 20 })
    await fill(other)
    await chain?.setIntervalMining({ interval: 0 })
    await chain?.setAutomine(true)
    const uid = await fill(info)
    const undone = await findTrade(uid)
    const before = await readOther()
    expect(undoneTables.filter((table) => before.rows[table]?.length === 0)).toEqual([])
    expect(Math.max(...(before.rows.trades ?? []).map((row) => Number(row.block_number)))).toBeGreaterThan(undone)

    await chain?.request({ method: 'anvil_reorg', params: [2, []] } as never)
    await chain?.setIntervalMining({ interval: 2 })
    await expect.poll(() => findTrade(uid), { timeout: patienceMs }).toBeGreaterThan(undone)
    await connectOrderBook(info).waitFor(uid, ({ status }) => status === 'fulfilled')
    const labels = (await findDebugReport(info, uid)).events.map(({ label }) => label)
    expect(labels).toContain('undone')
    expect(await readOther()).toEqual(before)
    for (const [i, of] of both.entries())
      await expectDatabaseAgreesWithChain({ ...stack, info: of, chain: stack.chains[i] ?? stack.chain })
  })
})

type Row = Record<string, unknown>
/** Tables whose rows a reorganisation removes or changes. */
const undoneTables = ['executions', 'order_events', 'orders', 'settlement_attempts', 'settlements', 'trades']
