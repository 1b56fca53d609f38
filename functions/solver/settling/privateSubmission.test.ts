import { numberToHex, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { startRelay } from '#test/helpers/chain/startRelay.ts'
import { openSql, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { advanceSubmissions } from './advanceSubmissions.ts'
import { createBroadcastMemory } from './broadcast.ts'
import { connectSender } from './connectSender.ts'
import type { SubmissionDeps } from './followSubmission.ts'
import { openSettlementStore, type SettlementOutcome } from './settlementStore.ts'

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
})
afterAll(() => market?.stop())

const findHead = async () => Number(await market.chain.getBlockNumber())

const advanceToEnd = async (deps: SubmissionDeps): Promise<void> => {
  for (let step = 0; step < 200 && (await advanceSubmissions(deps)); step += 1);
}

/** A queue with one settlement without trades, which is sent to a relay alone. @param lasts blocks until its deadline */
const openQueue = async (url: string, lasts: number) => {
  const store = openSettlementStore(openSql())
  const outcomes: SettlementOutcome[] = []
  const reverts: unknown[] = []
  const { chainId, settlementContract } = market.network
  const deadline = (await findHead()) + lasts
  const deps = {
    store,
    client: connectSender(market.rpcUrl, chainId, [{ url, method: 'eth_sendPrivateTransaction' }]),
    chainId,
    settlementContract,
    account: market.solver,
    memory: createBroadcastMemory(),
    bumpBlocks: 0,
    cancellationFeeMultiple: 4n,
    reprice: () => Promise.resolve(undefined),
    onOutcome: (_: number, outcome: SettlementOutcome) => outcomes.push(outcome),
    onRevert: (revert: unknown) => reverts.push(revert),
    onHindrance: () => undefined,
  }
  const interactions = { pre: [], intra: [], post: [] }
  const calldata = encodeSettlement({ auctionId: 1n, uniformPrices: new Map(), trades: [], interactions })
  const [id = 0] = store.insert('1', [{ calldata, accessList: [] }])
  store.queue(id, deadline)
  return { deps, deadline, outcomes, reverts }
}

test('a private endpoint gets the settlement with its deadline', async () => {
  const relay = await startRelay(market.chain)
  try {
    const { deps, deadline, outcomes } = await openQueue(relay.url, 10)
    await advanceToEnd(deps)
    expect(outcomes).toEqual([{ mined: true }])
    // again for each new head
    expect(new Set(relay.received.map(({ maxBlockNumber }) => maxBlockNumber))).toEqual(new Set([numberToHex(deadline)]))
  } finally {
    relay.stop()
  }
})

test('a settlement that it keeps back costs nothing but the transfer that takes its nonce', async () => {
  const relay = await startRelay(market.chain, ({ maxBlockNumber }) => maxBlockNumber === undefined)
  try {
    const { deps, deadline, outcomes, reverts } = await openQueue(relay.url, 1)
    expect(await advanceSubmissions(deps)).toBe(true)
    await market.chain.mine({ blocks: 1 })
    await advanceToEnd(deps)
    expect(outcomes).toEqual([{ mined: false, reason: 'not mined by its deadline' }])
    expect(reverts).toEqual([])
    const [settlement, transfer] = relay.received
    expect(settlement?.maxBlockNumber).toBe(numberToHex(deadline))
    expect(transfer?.maxBlockNumber).toBeUndefined()
    const [kept, sent] = [settlement, transfer].map((parameters) => parseTransaction(parameters?.tx ?? '0x'))
    expect(sent).toMatchObject({ nonce: kept?.nonce, to: market.solver.address.toLowerCase() })
    const next = await market.chain.getTransactionCount({ address: market.solver.address })
    expect(next).toBe((kept?.nonce ?? 0) + 1)
  } finally {
    relay.stop()
  }
})
