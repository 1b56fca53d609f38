import { type Hex, HttpRequestError, keccak256, parseTransaction, TimeoutError } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { createPrivateRelay } from '#test/helpers/solvers/privateRelay.ts'
import { openSql, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { buildSubmissionDeps } from '#test/helpers/solvers/solvingDeps.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { connectSender, type SenderClient } from '../sending/connectSender.ts'
import type { Submitter } from '../sending/createSubmitter.ts'
import { advanceSubmissions } from './advanceSubmissions.ts'
import { openSettlementStore } from './settlementStore.ts'

/**
 * The queue against a chain that reorganises, rolls back, drops transactions, changes its base fee and fails, in random
 * order, with restarts in between; with a public mempool, and with a private endpoint that drops late transactions.
 * `QUEUE_SEED=<n>` for another order, `LONG=1` for more of them.
 */

const firstSeed = Number(process.env.QUEUE_SEED ?? 1)
const seeds = Array.from({ length: process.env.LONG ? 60 : 2 }, (_, i) => firstSeed + i)
const steps = 120
/**
 * blocks within which a new settlement is mined, and the queue empty, after the last fault: those of a rollback, and a
 * few
 */
const boundBlocks = 12
const baseFee = 10n ** 9n

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
  await market.chain.mine({ blocks: 70 })
})

afterAll(() => market?.stop())

let auctions = 0n
/** A settlement without trades: each has calldata of its own. */
const buildCall = () => {
  auctions += 1n
  const nothing = { pre: [], intra: [], post: [] }
  const calldata = encodeSettlement({
    auctionId: auctions,
    uniformPrices: new Map(),
    trades: [],
    interactions: nothing,
  })
  return { calldata, accessList: [] }
}

const request = (method: string, params: unknown[]) => market.chain.request({ method, params } as never)
const findHead = async () => Number(await market.chain.getBlockNumber())

/** Broadcast transactions: the nonces of each settlement, and those of empty transfers above all settlements. */
interface Sent {
  settlements: Map<Hex, Set<number>>
  lastTransfers: number[]
}

type Relay = ReturnType<typeof createPrivateRelay>

/** Fails on demand, and records what is broadcast. */
const connectFlaky = (failures: { left: number }, sent: Sent, relay: Relay | undefined): SenderClient => {
  const client = connectSender(market.rpcUrl, market.network.chainId, market.solver)
  const wrap = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (failures.left > 0) {
        failures.left -= 1
        throw new HttpRequestError({ url: market.rpcUrl })
      }
      return call(...args)
    }
  }
  const { settlements, lastTransfers } = sent
  const record: Submitter = async (raw, validity) => {
    const { to, data, nonce = 0 } = parseTransaction(raw)
    if (data && to?.toLowerCase() === market.network.settlementContract.toLowerCase())
      settlements.set(data, (settlements.get(data) ?? new Set()).add(nonce))
    else if (nonce >= Math.max(...[...settlements.values()].flatMap((nonces) => [...nonces]))) lastTransfers.push(nonce)
    return relay ? relay.submit(raw, validity) : client.submitters[0]?.(raw, validity)
  }
  return {
    ...client,
    getBlock: wrap(client.getBlock) as SenderClient['getBlock'],
    getBlockNumber: wrap(client.getBlockNumber),
    getTransactionCount: wrap(client.getTransactionCount),
    estimateGas: wrap(client.estimateGas),
    call: wrap(client.call) as SenderClient['call'],
    submitters: [wrap(record)],
    isExpiring: relay !== undefined,
  }
}

const runChaos = async (seed: number, relay: Relay | undefined) => {
  const random = createRandom(seed)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const sql = openSql()
  const failures = { left: 0 }
  const sent: Sent = { settlements: new Map(), lastTransfers: [] }
  const client = connectFlaky(failures, sent, relay)
  const mine = (blocks: number) => (relay ? relay.mine(blocks) : market.chain.mine({ blocks }))
  const ids: number[] = []
  const start = () => buildSubmissionDeps(market, openSettlementStore(sql), { client, bumpBlocks: seed % 3 })
  let deps = start()
  const queue = async (blocks: number): Promise<number> => {
    const [id = 0] = deps.store.insert('1', [buildCall()])
    deps.store.queue(id, (await findHead()) + blocks)
    ids.push(id)
    return id
  }
  const advance = async () => {
    try {
      return await advanceSubmissions(deps)
    } catch (error) {
      const isOutage = error instanceof HttpRequestError || error instanceof TimeoutError
      if (failures.left === 0 && !isOutage) throw error
      return true
    }
  }
  const dropOne = async () => {
    relay?.drop((count) => Math.floor(random() * count))
    const { pending } = (await request('txpool_content', [])) as {
      pending: Record<string, Record<string, { hash: Hex }>>
    }
    const hashes = Object.values(pending).flatMap((own) => Object.values(own).map(({ hash }) => hash))
    const hash = hashes[Math.floor(random() * hashes.length)]
    if (hash) await market.chain.dropTransaction({ hash })
  }
  const sendForeign = async () => {
    const nonce = await market.chain.getTransactionCount({ address: market.solver.address, blockTag: 'pending' })
    const fees = { maxFeePerGas: 3n * baseFee, maxPriorityFeePerGas: baseFee }
    const { chainId } = market.network
    const transfer = { type: 'eip1559', chainId, nonce, to: market.solver.address, gas: 21_000n, ...fees } as const
    const serializedTransaction = await market.solver.signTransaction(transfer)
    await market.chain.sendRawTransaction({ serializedTransaction }).catch(() => undefined)
  }
  const actions: [number, () => Promise<unknown>][] = [
    [4, () => queue(upTo(6))],
    [12, advance],
    [8, () => mine(upTo(2))],
    [2, () => request('anvil_reorg', [upTo(5), []])],
    [2, () => request('anvil_rollback', [upTo(5)])],
    [1, () => request('anvil_dropAllTransactions', [])],
    [2, dropOne],
    // another process does not see the nonces of private transactions
    [relay ? 0 : 1, sendForeign],
    [
      2,
      async () => {
        deps = start()
      },
    ],
    [
      2,
      async () => {
        failures.left = upTo(4)
      },
    ],
    [1, () => market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee * BigInt(upTo(50)) })],
    [1, () => market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })],
  ]
  const total = actions.reduce((sum, [weight]) => sum + weight, 0)
  for (let step = 0; step < steps; step += 1) {
    let left = random() * total
    const action = actions.find(([weight]) => {
      left -= weight
      return left < 0
    })
    await action?.[1]()
  }

  failures.left = 0
  await market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
  const last = await queue(boundBlocks + 10)
  const startedAt = await findHead()
  let isUnderWay = true
  while (isUnderWay && (await findHead()) < startedAt + boundBlocks) {
    await advance()
    await mine(1)
    isUnderWay = await advance()
  }
  const { store } = deps
  expect(store.findUnfinished(), `queue after ${boundBlocks} blocks`).toEqual([])
  expect(store.find('1', last)?.outcome).toEqual({ mined: true })
  for (const nonces of sent.settlements.values()) expect(nonces.size).toBe(1)
  // a settlement that every endpoint drops needs no replacement: its nonce is filled only when later ones wait for it
  if (relay) expect(sent.lastTransfers).toEqual([])
  const counts = { mined: 0, failed: 0 }
  for (const id of ids) {
    const submission = store.find('1', id)
    expect(submission?.outcome, `outcome of ${id}`).toBeDefined()
    const receipts = await Promise.all(
      (submission?.settlementHashes ?? []).map((hash) => request('eth_getTransactionReceipt', [hash])),
    )
    const found = receipts.filter((receipt) => receipt !== null) as { status: Hex }[]
    expect(found.length).toBeLessThanOrEqual(1)
    if (submission?.outcome?.mined) expect(found).toMatchObject([{ status: '0x1' }])
    counts[submission?.outcome?.mined ? 'mined' : 'failed'] += 1
    if (submission?.signed && submission.settlementHashes.length === 1 && submission.outcome?.mined)
      expect(submission.settlementHashes).toEqual([keccak256(submission.signed.raw)])
  }
  return counts
}

test.each(seeds)(
  'the queue recovers from a random sequence of faults, seed %i',
  async (seed) => {
    await market.chain.setAutomine(false)
    const { mined, failed } = await runChaos(seed, undefined)
    expect(mined).toBeGreaterThan(0)
    console.log(`seed ${seed}: ${mined} mined, ${failed} not`)
  },
  60_000,
)

test.each(seeds.slice(seeds.length / 2))(
  'the queue recovers from a random sequence of faults with a private endpoint, seed %i',
  async (seed) => {
    await market.chain.setAutomine(false)
    const { mined, failed } = await runChaos(seed, createPrivateRelay(market))
    expect(mined).toBeGreaterThan(0)
    console.log(`seed ${seed}, private: ${mined} mined, ${failed} not`)
  },
  60_000,
)
