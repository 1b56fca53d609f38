import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, pad, toHex } from 'viem'
import { connectDatabase } from '#schema/client.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { listenLocally } from '#tools/stack/listenLocally.ts'
import { applyMigrations } from '../../stack/applyMigrations.ts'
import { devAccounts } from '../../stack/chain/devAccounts.ts'
import { prepareChain } from '../../stack/chain/prepareChain.ts'
import { startAnvil } from '../../stack/chain/startAnvil.ts'
import { databaseEndpoint } from '../../stack/databaseEndpoint.ts'
import { findPort } from '../../stack/processes/findPort.ts'
import { startReaper } from '../../stack/processes/startReaper.ts'
import { fundOwners } from '../platform/fundOwners.ts'
import { openBenchDatabase } from '../platform/openBenchDatabase.ts'

const network = networks.sepolia
const { chainId } = network
const solver = devAccounts[8].address
const sellAmount = 10n ** 18n
const rowsOfInsert = 500
/** Most of a transaction of `change`, and how many of them fit into a block of the local chain. */
const gasOfChange = 200_000n
const changesOfBlock = 100
/** Orders that wait for a pre-signature. */
export const unsignedOrders = 250

export type BenchMarket = {
  databaseUrl: string
  rpcUrl: string
  solverUrl: string
  solver: Address
  /** Places orders of new owners with sufficient funds. */
  place: (count: number, toChanges?: (seed: number) => Partial<typeof orders.$inferInsert>) => Promise<void>
  /** A quarter each: new orders, cancellations, pre-signatures, owners who transfer all their tokens. */
  change: (count: number) => Promise<void>
  mine: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * A real database, a real chain with funded owners, and a solver that responds at once: a price for every token, and a
 * solution for the first order of each auction that it then fails to settle. The database is `openBenchDatabase`.
 */
export const startMarket = async (): Promise<BenchMarket> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-bench-'))
  await mkdir(join(dir, 'logs'))
  const reaper = startReaper()
  const anvil = await startAnvil({ dir, port: await findPort(0, 'RPC_PORT'), chainId, blockTime: 3_600, reaper })
  const { chain, rpcUrl } = anvil
  // ends mixed mining, which `change` could not turn off
  await chain.setAutomine(true)
  const { tokens } = await prepareChain(chain, { solvers: [solver], traders: [] })
  const backend = await openBenchDatabase(dir)
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  await applyMigrations(endpoint.databaseUrl)
  const database = connectDatabase(endpoint.databaseUrl)
  const driver = await startDriver()
  const sellTokens = [tokens.DAI.address, tokens.COW.address]
  let placed = 0
  let cancelled = 0
  let presigned = 0
  let drained = 0

  const mine = () => chain.mine({ blocks: 1 })
  const place: BenchMarket['place'] = async (count, toChanges = () => ({})) => {
    const rows = Array.from({ length: count }, (_, i) => {
      const seed = placed + i
      return buildOrder(seed, sellTokens, toChanges(seed))
    })
    placed += count
    await fundOwners(
      rpcUrl,
      sellTokens,
      rows.map(({ owner }) => owner),
      sellAmount,
    )
    for (let i = 0; i < rows.length; i += rowsOfInsert) {
      const chunk = rows.slice(i, i + rowsOfInsert)
      const events = chunk.map(({ uid }) => ({ chainId, orderUid: uid, key: 'created', label: 'created' as const }))
      await database.batch([database.insert(orders).values(chunk), database.insert(orderEvents).values(events)])
    }
  }
  /** Sends as any account; anvil requires no signature. `mineAll` puts it into a block. */
  const send = async (from: Address, to: Address, data: Hex): Promise<Hex> => {
    await chain.setBalance({ address: from, value: 10n ** 18n })
    await chain.impersonateAccount({ address: from })
    return chain.sendUnsignedTransaction({ from, to, data, gas: gasOfChange })
  }
  /**
   * Mines the transactions in few full blocks, as a busy chain does: the clock reads everything again after many
   * blocks.
   */
  const mineAll = async (hashes: readonly Hex[]): Promise<void> => {
    await chain.mine({ blocks: Math.ceil(hashes.length / changesOfBlock) + 1 })
    const last = hashes.at(-1)
    if (last) await waitForReceipt(chain, last)
  }
  const change: BenchMarket['change'] = async (count) => {
    const quarter = count / 4
    if (quarter > unsignedOrders - presigned) throw new Error(`only ${unsignedOrders} orders wait for a signature`)
    await place(quarter)
    await chain.setAutomine(false)
    const hashes: Hex[] = []
    for (let i = 0; i < quarter; i++) {
      const { uid } = buildOrder(4 * cancelled++, sellTokens)
      await database.update(orders).set({ cancelledAt: new Date(), version: 2 }).where(eq(orders.uid, uid))
    }
    for (let i = 0; i < quarter; i++) {
      const order = buildOrder(4 * drained++ + 1, sellTokens)
      const args = [devAccounts[0].address, sellAmount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      hashes.push(await send(order.owner, order.sellToken, data))
    }
    for (let i = 0; i < quarter; i++) {
      const order = buildOrder(4 * presigned++ + 2, sellTokens)
      const args = [order.uid, true] as const
      const data = encodeFunctionData({ abi: settlementAbi, functionName: 'setPreSignature', args })
      hashes.push(await send(order.owner, network.settlementContract, data))
    }
    await mineAll(hashes)
    await chain.setAutomine(true)
  }
  return {
    databaseUrl: endpoint.databaseUrl,
    rpcUrl,
    solverUrl: driver.url,
    solver,
    place,
    change,
    mine,
    stop: async () => {
      driver.close()
      await endpoint.close()
      await backend.close()
      await anvil.stop()
      reaper.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Every fourth of the first orders waits for its signature; `change` cancels, pays and signs by fours too. */
const isUnsigned = (seed: number): boolean => seed % 4 === 2 && seed < 4 * unsignedOrders

const buildOrder = (
  seed: number,
  sellTokens: readonly Address[],
  changes: Partial<typeof orders.$inferInsert> = {},
): typeof orders.$inferInsert => {
  const validTo = 4_000_000_000
  const owner = pad(toHex(seed + 1), { size: 20, dir: 'right' })
  const waits = isUnsigned(seed)
  return {
    chainId,
    uid: packOrderUid(keccak256(toHex(seed, { size: 32 })), owner, validTo),
    owner,
    sellToken: sellTokens[seed % sellTokens.length] as Address,
    buyToken: network.wrappedNative,
    receiver: null,
    sellAmount,
    buyAmount: 10n ** 18n,
    validTo,
    appDataHash: keccak256('0x7b7d'),
    feeAmount: 0n,
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
    signingScheme: waits ? 'presign' : 'eip712',
    signature: waits ? '0x' : `0x${'5a'.repeat(65)}`,
    settlementContract: network.settlementContract,
    class: 'limit',
    quoteId: null,
    fullBalanceCheck: false,
    ...changes,
  }
}

type SolveBody = { orders: Record<'uid' | 'kind' | 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount', string>[] }

/** Every token is worth one native token, and the first order of an auction gets twice its limit. */
const startDriver = async (): Promise<{ url: string; close: () => void }> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://solver')
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    if (url.pathname === '/quote') {
      const pair = ['sellToken', 'buyToken'].map((name) => [url.searchParams.get(name), '1000000000000000000'])
      return answer(200, { clearingPrices: Object.fromEntries(pair), interactions: [], solver })
    }
    if (url.pathname !== '/solve') return answer(400, { kind: 'FailedToSubmit', description: 'it is a benchmark' })
    const [order] = (JSON.parse(Buffer.concat(chunks).toString()) as SolveBody).orders
    if (!order) return answer(200, { solutions: [] })
    const { uid, kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy } = order
    const executedBuy = (2n * BigInt(limitBuy)).toString()
    const execution = { side, sellToken, buyToken, limitSell, limitBuy, executedSell: limitSell, executedBuy }
    const solution = { solutionId: 1, submissionAddress: solver, score: '0', orders: { [uid]: execution } }
    answer(200, { solutions: [solution] })
  })
  return listenLocally(server)
}
