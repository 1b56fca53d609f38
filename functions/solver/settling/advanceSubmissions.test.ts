import { setTimeout as sleep } from 'node:timers/promises'
import { keccak256, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { deploySafe } from '#test/helpers/chain/safe.ts'
import { createPrivateRelay } from '#test/helpers/solvers/privateRelay.ts'
import { openSql, type SolverMarket, startSolverMarket } from '#test/helpers/solvers/solverMarket.ts'
import { buildSubmissionDeps, solveAuction } from '#test/helpers/solvers/solvingDeps.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { connectSender } from '../sending/connectSender.ts'
import type { EncodedSolution } from '../solutions/findSolutions.ts'
import { advanceSubmissions } from './advanceSubmissions.ts'
import { patienceBlocks } from './followSettlement.ts'
import { openSettlementStore } from './settlementStore.ts'
import type { SettlementOutcome } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

let market: SolverMarket

beforeAll(async () => {
  market = await startSolverMarket()
})

afterAll(() => market?.stop())

const solve = (id: string, orders: AuctionOrder[]) =>
  solveAuction(
    market,
    id,
    orders,
    { baseTokens: [market.network.wrappedNative, market.tokens.USDC] },
    connectSender(market.rpcUrl, market.network.chainId, market.solver),
  )

/** A solver's store; each `start` is a new process with only this state. */
const openQueue = () => {
  const store = openSettlementStore(openSql())
  const outcomes: [number, SettlementOutcome][] = []
  const start = (overrides: Partial<SubmissionDeps> = {}) =>
    buildSubmissionDeps(market, store, { onOutcome: (...outcome) => outcomes.push(outcome), ...overrides })
  const propose = (auctionId: string, solution: EncodedSolution | undefined): number => {
    const [id] = store.insert(auctionId, solution ? [solution] : [])
    if (id === undefined) throw new Error('nothing to settle')
    return id
  }
  /** Queues a solution for so many blocks. */
  const submit = async (solution: EncodedSolution | undefined, blocks: number): Promise<number> => {
    const id = propose('1', solution)
    store.queue(id, (await findHead()) + blocks)
    return id
  }
  return { store, outcomes, start, propose, submit }
}

const countSent = () => market.chain.getTransactionCount({ address: market.solver.address, blockTag: 'pending' })
const findHead = async () => Number(await market.chain.getBlockNumber())

/** Runs work on a chain that mines on demand. */
const withoutMining = async (work: () => Promise<void>): Promise<void> => {
  await market.chain.setAutomine(false)
  try {
    await work()
  } finally {
    await market.chain.setAutomine(true)
  }
}

/** A chain with instant mining still takes some time on a busy machine. */
const advanceToEnd = async (deps: SubmissionDeps): Promise<void> => {
  for (let step = 0; step < 200 && (await advanceSubmissions(deps)); step += 1) await sleep(20)
}

const settle = async (auctionId: string, solution: EncodedSolution | undefined) => {
  const queue = openQueue()
  const id = queue.propose(auctionId, solution)
  queue.store.queue(id, (await findHead()) + 10)
  const deps = queue.start()
  await advanceToEnd(deps)
  expect(queue.outcomes).toEqual([[id, { mined: true }]])
}

describe('advanceSubmissions', () => {
  const solveOne = async (overrides: Partial<AuctionOrder> = {}) =>
    (await solve('1', [await market.signOrder(overrides)]))[0]

  test('never sends a settlement twice for any failure between signing and the receipt', async () => {
    const queue = openQueue()
    const id = queue.propose('1', await solveOne())
    const sent = await countSent()
    queue.store.queue(id, (await findHead()) + 10)
    const client = connectSender(market.rpcUrl, market.network.chainId, market.solver)
    const deaf = { ...client, submitters: [() => Promise.reject(new Error('killed'))] }
    await advanceSubmissions(queue.start({ client: deaf }))
    expect(queue.store.find('1', id)).toMatchObject({ state: 'sent', outcome: undefined })
    expect(await countSent()).toBe(sent)

    // a new process, and one more, killed before it saw the receipt
    await advanceSubmissions(queue.start())
    await advanceToEnd(queue.start())
    expect(queue.outcomes).toEqual([[id, { mined: true }]])
    expect(await countSent()).toBe(sent + 1)
    queue.store.queue(id, (await findHead()) + 10)
    expect(queue.store.findUnfinished()).toEqual([])
  })

  test('settles several in one block, each simulated behind those that were sent before', async () => {
    const queue = openQueue()
    const { DAI, COW } = market.tokens
    const order = { sellAmount: parseEther('0.1') }
    // the second one finds the pool moved by the first one, the third one is independent of both
    const solutions = [
      await solveOne(order),
      await solveOne(order),
      await solveOne({ sellToken: COW, buyToken: DAI, sellAmount: parseEther('1000') }),
    ]
    const ids = solutions.map((solution) => queue.propose('1', solution))
    await withoutMining(async () => {
      const sent = await countSent()
      for (const id of ids) queue.store.queue(id, (await findHead()) + 2)
      const deps = queue.start()
      expect(await advanceSubmissions(deps)).toBe(true)
      expect(ids.map((id) => queue.store.find('1', id)?.signed?.nonce)).toEqual([sent, sent + 1, sent + 2])
      expect(queue.store.find('1', ids[1] ?? 0)?.sentCalldata).toBe(solutions[1]?.fallback)
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual(ids.map((id) => [id, { mined: true }]))
    })
  })

  test('sends settlements that revert behind others only when none is in flight, and ten at a time', async () => {
    const queue = openQueue()
    const [small, large] = [
      await solveOne({ sellAmount: parseEther('0.1') }),
      await solveOne({ sellAmount: parseEther('60') }),
    ]
    const independent = { sellToken: market.tokens.USDC, buyToken: market.tokens.DAI }
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, i) => solveOne({ ...independent, sellAmount: BigInt(100 + i) * 1_000_000n })),
    )
    const ids = [large, small, ...others].map((solution) => queue.propose('1', solution))
    const stateOf = (id?: number) => queue.store.find('1', id ?? 0)?.state
    const before = await market.chain.snapshot()
    await market.chain.setAutomine(false)
    try {
      for (const id of ids) queue.store.queue(id, (await findHead()) + 10)
      const deps = queue.start()
      expect(await advanceSubmissions(deps)).toBe(true)
      expect(ids.map(stateOf)).toEqual(['sent', 'queued', ...Array(9).fill('sent'), 'queued'])
      expect(queue.outcomes).toEqual([])
      await market.chain.mine({ blocks: 1 })
      await advanceSubmissions(deps)
      await market.chain.mine({ blocks: 1 })
      await advanceSubmissions(deps)
      const reverted = { mined: false, reason: 'UniswapV2: K' }
      expect(queue.outcomes.find(([id]) => id === ids[1])).toEqual([ids[1], reverted])
      expect(queue.outcomes.filter(([, { mined }]) => mined)).toHaveLength(11)
    } finally {
      await market.chain.revert({ id: before })
      await market.chain.setAutomine(true)
    }
  })

  test('simulates what reverts behind others again when those in flight change, and at growing intervals otherwise', async () => {
    const queue = openQueue()
    const propose = async (amount: string, tokens: Partial<AuctionOrder> = {}) =>
      queue.propose('1', await solveOne({ sellAmount: parseEther(amount), ...tokens }))
    const ids = [await propose('60'), await propose('0.1')]
    const { COW, DAI } = market.tokens
    const later = await propose('100', { sellToken: COW, buyToken: DAI })
    const before = await market.chain.snapshot()
    await market.chain.setAutomine(false)
    try {
      for (const id of ids) queue.store.queue(id, (await findHead()) + 10)
      const { client, ...deps } = queue.start()
      let simulated = 0
      const estimateGas: typeof client.estimateGas = (...args) => {
        simulated += 1
        return client.estimateGas(...args)
      }
      const advance = async () => {
        simulated = 0
        await advanceSubmissions({ ...deps, client: { ...client, estimateGas } })
        return simulated
      }
      const advanceTimes = async (times: number) => {
        const counts: number[] = []
        for (let i = 0; i < times; i += 1) counts.push(await advance())
        return counts
      }
      // the first settlement; the second one and its fallback
      expect(await advanceTimes(8)).toEqual([3, 2, 0, 2, 0, 0, 0, 2])
      queue.store.queue(later, (await findHead()) + 10)
      // the third one, then the second one behind it
      expect(await advanceTimes(5)).toEqual([1, 2, 2, 0, 2])
      await market.chain.mine({ blocks: 1 })
      // behind none
      expect(await advance()).toBe(2)
      expect(queue.outcomes).toContainEqual([ids[1], { mined: false, reason: 'UniswapV2: K' }])
      expect(queue.outcomes.filter(([, { mined }]) => mined)).toHaveLength(2)
    } finally {
      await market.chain.revert({ id: before })
      await market.chain.setAutomine(true)
    }
  })

  test('settles as promised when another settlement has moved the pools, and pays them more of the network fee', async () => {
    const queue = openQueue()
    const { WETH, USDC, DAI } = market.tokens
    const orders: Partial<AuctionOrder>[] = [
      { sellAmount: parseEther('0.1') },
      { sellToken: USDC, buyToken: DAI, sellAmount: 300_000_000n },
      { kind: 'buy', sellToken: USDC, buyToken: WETH, sellAmount: 1_000_000_000n, buyAmount: parseEther('0.1') },
    ]
    for (const order of orders) {
      const solutions = [await solveOne(order), await solveOne(order)]
      const ids = solutions.map((solution) => queue.propose('1', solution))
      for (const id of ids) queue.store.queue(id, (await findHead()) + 10)
      const deps = queue.start()
      await advanceToEnd(deps)
      expect(queue.outcomes.splice(0)).toEqual(ids.map((id) => [id, { mined: true }]))
      expect(ids.map((id) => queue.store.find('1', id)?.sentCalldata)).toEqual([
        solutions[0]?.calldata,
        solutions[1]?.fallback,
      ])
    }
  })

  test('sends no fallback when the pools have moved further than the network fee covers', async () => {
    const queue = openQueue()
    const [small, large] = [
      await solveOne({ sellAmount: parseEther('0.1') }),
      await solveOne({ sellAmount: parseEther('60') }),
    ]
    await settle('1', large)
    const id = await queue.submit(small, 10)
    expect(await advanceSubmissions(queue.start())).toBe(false)
    expect(queue.outcomes).toEqual([[id, { mined: false, reason: 'UniswapV2: K' }]])
  })

  test('pays ether to a Safe, which cannot take it from a settlement that does not declare its storage', async () => {
    const { address: receiver } = await deploySafe(market.chain, devAccounts[2])
    const order = { sellToken: market.tokens.USDC, buyToken: nativeSentinel, sellAmount: 3_000_000_000n }
    const solution = await solveOne({ ...order, receiver })
    if (!solution) throw new Error('no solution')
    expect(solution.accessList.map(({ address }) => address)).toContain(receiver.toLowerCase())
    const { settlementContract: to } = market.network
    const call = { account: market.solver.address, to, data: solution.calldata }
    await expect(market.chain.call(call)).rejects.toThrow()
    await settle('1', solution)
    expect(await market.chain.getBalance({ address: receiver })).toBe(solution.batches[0]?.fills[0]?.executedBuy)
    const plain = await solveOne({ ...order, receiver: devAccounts[3].address })
    expect(plain?.accessList).toEqual([])
  })

  test('sends nothing after the deadline', async () => {
    const queue = openQueue()
    const id = queue.propose('1', await solveOne())
    queue.store.queue(id, await findHead())
    const sent = await countSent()
    expect(await advanceSubmissions(queue.start())).toBe(false)
    expect(queue.outcomes).toMatchObject([[id, { mined: false }]])
    expect(await countSent()).toBe(sent)
  })

  test('cancels a stuck transaction at the deadline and continues with the next nonce', async () => {
    const queue = openQueue()
    const id = queue.propose('1', await solveOne())
    await withoutMining(async () => {
      const nonce = await countSent()
      const deadline = (await findHead()) + 1
      queue.store.queue(id, deadline)
      const deps = queue.start()
      expect(await advanceSubmissions(deps)).toBe(true)
      const settlementHash = queue.store.find('1', id)?.settlementHashes[0] ?? '0x'
      // too expensive for the settlement: the deadline's block does not contain it
      await market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 12n })
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(true)
      expect(queue.outcomes).toEqual([[id, { mined: false, reason: 'not mined by its deadline' }]])
      expect(queue.store.find('1', id)).toMatchObject({ state: 'cancelling', signed: { nonce } })
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(false)
      await expect(market.chain.getTransactionReceipt({ hash: settlementHash })).rejects.toThrow()
      expect(await market.chain.getTransactionCount({ address: market.solver.address })).toBe(nonce + 1)
    })
    await settle('2', await solveOne())
  })

  describe('with a private endpoint', () => {
    const startPrivate = async () => {
      await market.chain.setAutomine(false)
      const relay = createPrivateRelay(market)
      const queue = openQueue()
      const chain = connectSender(market.rpcUrl, market.network.chainId, market.solver)
      const client = { ...chain, submitters: [relay.submit], isExpiring: true }
      const nonce = await countSent()
      return { relay, queue, client, nonce, queueUntil: queue.submit, deps: queue.start({ client }) }
    }
    const late = { mined: false, reason: 'not mined by its deadline' } as const

    afterEach(() => market.chain.setAutomine(true))

    test('a settlement not mined by its deadline is not replaced, and the next one takes its nonce', async () => {
      const { queue, nonce, queueUntil, relay, deps } = await startPrivate()
      const [first, second] = [await solveOne(), await solveOne()]
      const id = await queueUntil(first, 2)
      await advanceSubmissions(deps)
      expect(queue.store.find('1', id)).toMatchObject({ state: 'sent', signed: { nonce } })
      // the builders of both blocks leave it out
      await market.chain.mine({ blocks: 2 })
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([[id, late]])
      expect(queue.store.find('1', id)).toMatchObject({ state: 'finished', settlementHashes: { length: 1 } })

      const next = await queueUntil(second, 5)
      await advanceSubmissions(deps)
      expect(queue.store.find('1', next)?.signed?.nonce).toBe(nonce)
      await relay.mine(1)
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([
        [id, late],
        [next, { mined: true }],
      ])
      expect(await countSent()).toBe(nonce + 1)
    })

    test('a settlement of which a node lacks the block of the deadline is dropped three blocks later', async () => {
      const { queue, client, queueUntil } = await startPrivate()
      const id = await queueUntil(await solveOne(), 1)
      const getTransactionCount: typeof client.getTransactionCount = (args) =>
        args.blockNumber === undefined ? client.getTransactionCount(args) : Promise.reject(new Error('unknown block'))
      const deps = queue.start({ client: { ...client, getTransactionCount } })
      await advanceSubmissions(deps)
      for (let i = 0; i < 3; i += 1) {
        await market.chain.mine({ blocks: 1 })
        expect(await advanceSubmissions(deps)).toBe(true)
      }
      expect(queue.outcomes).toEqual([])
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([[id, late]])
    })

    test('the nonce of a dropped settlement is filled when a later one waits for it', async () => {
      const { queue, nonce, queueUntil, relay, deps } = await startPrivate()
      const { DAI, COW } = market.tokens
      const other = await solveOne({ sellToken: COW, buyToken: DAI, sellAmount: parseEther('1000') })
      const ids = [await queueUntil(await solveOne(), 1), await queueUntil(other, 8)]
      await advanceSubmissions(deps)
      await market.chain.mine({ blocks: 1 })
      // drops the first one, and sees the gap in the next step
      await advanceSubmissions(deps)
      await advanceSubmissions(deps)
      await relay.mine(1)
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([
        [ids[0], late],
        [ids[1], { mined: true }],
      ])
      expect(await countSent()).toBe(nonce + 2)
    })
  })

  test('re-signs a settlement with higher fees after two blocks without it, and it is mined once', async () => {
    const queue = openQueue()
    const id = queue.propose('1', await solveOne())
    await withoutMining(async () => {
      const nonce = await countSent()
      queue.store.queue(id, (await findHead()) + 10)
      const deps = queue.start({ bumpBlocks: 2 })
      await advanceSubmissions(deps)
      const first = queue.store.find('1', id)?.signed
      const hash = first && keccak256(first.raw)
      const mineWithout = async () => {
        for (const sent of queue.store.find('1', id)?.settlementHashes ?? [])
          await market.chain.dropTransaction({ hash: sent })
        await market.chain.mine({ blocks: 1 })
        await advanceSubmissions(deps)
      }
      await mineWithout()
      expect(queue.store.find('1', id)?.settlementHashes).toEqual([hash])
      await mineWithout()
      const second = queue.store.find('1', id)?.signed
      expect(second?.nonce).toBe(nonce)
      expect(second?.maxFeePerGas).toBeGreaterThanOrEqual(((first?.maxFeePerGas ?? 0n) * 113n) / 100n)
      expect(second?.maxPriorityFeePerGas).toBeGreaterThan(first?.maxPriorityFeePerGas ?? 0n)
      expect(queue.store.find('1', id)?.settlementHashes).toHaveLength(2)
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
      expect(await market.chain.getTransactionCount({ address: market.solver.address })).toBe(nonce + 1)
    })
  })

  test('raises the fees of a cancellation with every block, up to the multiple of the suggestion', async () => {
    const queue = openQueue()
    const id = queue.propose('1', await solveOne())
    await withoutMining(async () => {
      queue.store.queue(id, (await findHead()) + 1)
      const deps = queue.start({ cancellationFeeMultiple: 1n })
      await advanceSubmissions(deps)
      const caps: bigint[] = []
      for (let block = 0; block < 3; block += 1) {
        const { settlementHashes = [], signed } = queue.store.find('1', id) ?? {}
        for (const hash of [...settlementHashes, ...(signed ? [keccak256(signed.raw)] : [])])
          await market.chain.dropTransaction({ hash }).catch(() => undefined)
        await market.chain.mine({ blocks: 1 })
        await advanceSubmissions(deps)
        caps.push(queue.store.find('1', id)?.signed?.maxFeePerGas ?? 0n)
      }
      // the first transfer costs more than the suggestion already, because it replaces the settlement
      expect(caps).toEqual([caps[0], caps[0], caps[0]])
      await advanceSubmissions({ ...deps, cancellationFeeMultiple: 4n })
      expect(queue.store.find('1', id)?.signed?.maxFeePerGas).toBeGreaterThan(caps[0] ?? 0n)
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([[id, { mined: false, reason: 'not mined by its deadline' }]])
    })
  })

  test('sends the same transaction again when the chain has lost it, and never another one', async () => {
    const queue = openQueue()
    const id = queue.propose('1', await solveOne())
    await withoutMining(async () => {
      queue.store.queue(id, (await findHead()) + 10)
      const deps = queue.start()
      expect(await advanceSubmissions(deps)).toBe(true)
      const hash = queue.store.find('1', id)?.settlementHashes[0] ?? '0x'
      await market.chain.dropTransaction({ hash })
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(true)
      await market.chain.mine({ blocks: 1 })
      expect(await advanceSubmissions(deps)).toBe(false)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
      expect((await market.chain.getTransactionReceipt({ hash })).status).toBe('success')
    })
  })

  test('detects a contract that reads the gas price, and sends nothing', async () => {
    // succeeds for tx.gasprice 0 only, as in a call without fee fields
    const target = '0x00000000000000000000000000000000000c0de1'
    await market.chain.setCode({ address: target, bytecode: '0x3a156008575f5ffd5b00' })
    const calldata = encodeSettlement({
      auctionId: 1n,
      uniformPrices: new Map(),
      trades: [],
      interactions: { pre: [], intra: [{ target, value: 0n, callData: '0x' }], post: [] },
    })
    const queue = openQueue()
    const [id = 0] = queue.store.insert('1', [{ calldata, accessList: [] }])
    queue.store.queue(id, (await findHead()) + 10)
    const sent = await countSent()
    expect(await advanceSubmissions(queue.start())).toBe(false)
    expect(queue.outcomes).toMatchObject([[id, { mined: false }]])
    expect(await countSent()).toBe(sent)
    expect(queue.store.find('1', id)?.signed).toBeUndefined()
  })

  test('sends a settlement with at most half more gas than its estimate, and 50,000', async () => {
    const queue = openQueue()
    const solution = await solveOne()
    const id = await queue.submit(solution, 10)
    const call = { account: market.solver.address, to: market.network.settlementContract, data: solution?.calldata }
    // the pool's next update, in both estimates, is the first one of its second, which takes 45,000 gas more
    await market.chain.increaseTime({ seconds: 2 })
    await market.chain.mine({ blocks: 1 })
    const estimate = await market.chain.estimateGas(call as never)
    await advanceToEnd(queue.start())
    const gas = queue.store.find('1', id)?.signed?.gas ?? 0n
    expect(gas).toBeGreaterThan(estimate)
    expect(gas).toBeLessThanOrEqual((estimate * 3n) / 2n + 50_000n)
  })

  describe('when the chain loses transactions', () => {
    const nothing = { pre: [], intra: [], post: [] }
    const insert = (queue: ReturnType<typeof openQueue>, auctionId: bigint) => {
      const calldata = encodeSettlement({ auctionId, uniformPrices: new Map(), trades: [], interactions: nothing })
      const [id = 0] = queue.store.insert(String(auctionId), [{ calldata, accessList: [] }])
      return id
    }
    /** A queue with one settlement, to be mined within so many blocks. */
    const startOne = async (blocks: number) => {
      const queue = openQueue()
      const id = insert(queue, 1n)
      queue.store.queue(id, (await findHead()) + blocks)
      return { queue, id, deps: queue.start() }
    }
    const request = (method: string, params: unknown[]) => market.chain.request({ method, params } as never)
    const advance = async (deps: SubmissionDeps, times = 3) => {
      for (let i = 0; i < times; i += 1) await advanceSubmissions(deps)
    }
    const mine = (blocks = 1) => market.chain.mine({ blocks })

    const settleWithin = async (deps: SubmissionDeps, blocks: number) => {
      for (let block = 0; block < blocks; block += 1) {
        if (!(await advanceSubmissions(deps))) return
        await mine()
      }
      await advance(deps)
      expect(deps.store.findUnfinished()).toEqual([])
    }

    beforeEach(async () => {
      await market.chain.setAutomine(false)
      await mine(20)
    })
    afterEach(async () => {
      await request('anvil_dropAllTransactions', [])
      await market.chain.setAutomine(true)
    })

    test('fills the nonces before a pending settlement that the store does not know', async () => {
      const nonce = await countSent()
      for (let i = 0; i < 3; i += 1) {
        await market.chain.sendTransaction({ account: market.solver, to: market.solver.address })
        await mine()
      }
      const { queue, id, deps } = await startOne(10)
      await advance(deps, 1)
      expect(queue.store.find('1', id)?.signed?.nonce).toBe(nonce + 3)
      await request('anvil_rollback', [3])
      expect(await market.chain.getTransactionCount({ address: market.solver.address })).toBe(nonce)
      await settleWithin(deps, 4)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
    })

    test('broadcasts a mined settlement again, byte for byte, while its deadline lasts', async () => {
      const queue = openQueue()
      const ids = [insert(queue, 1n), insert(queue, 2n)]
      for (const id of ids) queue.store.queue(id, (await findHead()) + 20)
      const deps = queue.start()
      for (let i = 0; i < 2; i += 1) {
        await advance(deps, 1)
        await mine()
        await advance(deps, 1)
      }
      const mined = ids.map((id) => [id, { mined: true }])
      expect(queue.outcomes).toEqual(mined)
      const signed = ids.map((id, i) => queue.store.find(String(i + 1), id)?.signed)
      await request('anvil_reorg', [4, []])
      await mine()
      await advance(queue.start(), 2)
      expect(ids.map((id, i) => queue.store.find(String(i + 1), id))).toMatchObject([
        { state: 'sent', outcome: undefined },
        { state: 'sent', outcome: undefined },
      ])
      await mine()
      await advance(queue.start(), 2)
      expect(queue.outcomes).toEqual([...mined, ...mined])
      expect(ids.map((id, i) => queue.store.find(String(i + 1), id)?.signed)).toEqual(signed)
    })

    test('replaces a mined settlement by an empty transfer when its deadline has passed', async () => {
      const { queue, id, deps } = await startOne(2)
      await advance(deps, 1)
      await mine()
      await advance(deps, 1)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
      const nonce = queue.store.find('1', id)?.signed?.nonce ?? 0
      await request('anvil_reorg', [1, []])
      await mine(2)
      await advance(deps, 2)
      await mine()
      await advance(deps, 1)
      expect(queue.store.find('1', id)).toMatchObject({
        outcome: { mined: false, reason: 'not mined by its deadline' },
        state: 'confirming',
      })
      expect(await market.chain.getTransactionCount({ address: market.solver.address })).toBe(nonce + 1)
    })

    test('corrects the outcome of a mined settlement whose nonce another transaction has after a reorganisation', async () => {
      const { queue, id, deps } = await startOne(20)
      await advance(deps, 1)
      await mine()
      await advance(deps)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
      await request('anvil_reorg', [1, []])
      const nonce = queue.store.find('1', id)?.signed?.nonce ?? 0
      await market.chain.sendTransaction({ account: market.solver, to: market.solver.address, nonce })
      await mine()
      await advance(deps)
      // a lagging node may not have the receipt yet
      expect(queue.outcomes).toHaveLength(1)
      await mine(2 * patienceBlocks)
      await advance(deps)
      const outcome = { mined: false, reason: 'another transaction used its nonce' } as const
      expect(queue.outcomes).toEqual([
        [id, { mined: true }],
        [id, outcome],
      ])
      expect(queue.store.find('1', id)).toMatchObject({ state: 'confirming', outcome })
    })

    test('raises the fees of a settlement below the base fee, with one nonce and four times at most', async () => {
      const { queue, id, deps } = await startOne(20)
      await advance(deps, 1)
      const nonce = queue.store.find('1', id)?.signed?.nonce
      for (let i = 1n; i <= 6n; i += 1n) {
        await market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 10n * 4n ** i })
        await mine()
        await advance(deps, 1)
      }
      const submission = queue.store.find('1', id)
      expect(submission).toMatchObject({ state: 'sent', signed: { nonce } })
      expect(submission?.settlementHashes).toHaveLength(4)
      await market.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n })
      await settleWithin(deps, 3)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
    })

    test('reports a mined settlement as mined when the receipt comes some blocks after its nonce', async () => {
      const { queue, id, deps } = await startOne(20)
      await advance(deps, 1)
      await mine()
      const request = ((call: { method: string }) =>
        call.method === 'eth_getTransactionReceipt' ? null : deps.client.request(call as never)) as never
      // the same process: the queue remembers since when the receipt is missing
      const behind = { ...deps, client: { ...deps.client, request } }
      for (let block = 1; block < 2 * patienceBlocks; block += 1) {
        await advance(behind)
        await mine()
      }
      expect(queue.outcomes).toEqual([])
      await advance(deps)
      expect(queue.outcomes).toEqual([[id, { mined: true }]])
    })

    test('waits for a lagging node, and does not treat it as a reorganisation', async () => {
      const { queue, id, deps } = await startOne(2)
      await advance(deps, 1)
      const [before, nonce] = [await market.chain.getBlockNumber(), queue.store.find('1', id)?.signed?.nonce ?? 0]
      await mine(3)
      await advance(deps, 1)
      const behind = { getBlockNumber: async () => before, getTransactionCount: async () => nonce }
      await advance(queue.start({ client: { ...deps.client, ...behind } }), 1)
      expect(queue.store.find('1', id)).toMatchObject({ state: 'confirming', outcome: { mined: true } })
    })
  })
})
