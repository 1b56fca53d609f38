import { type Hex, pad, toHex } from 'viem'
import type { ChainEvents } from '#schema/queries/chain/chainUpdate.ts'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { newOrder, orderUidOf } from './newOrder.ts'

export const owner: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const onchainUser: Hex = `0x${'0e'.repeat(20)}`
export const solver: Hex = `0x${'50'.repeat(20)}`
const placer: Hex = `0x${'e7'.repeat(20)}`
/** Unix seconds; within the last hour, because statistics count recent rows */
export const genesis = Math.floor(Date.now() / 1_000) - 3_000
/** the last second before block 103 */
export const expiring = genesis + 103 * 12 - 1

export const { sellToken, buyToken } = newOrder(1)
export const uidOf = (seed: number): Hex => orderUidOf(seed)
export const placedUid = orderUidOf(30, placer)
export const hashOf = (number: number): Hex => pad(toHex(number), { size: 32 })

/** An order of 1000 atoms for 2000, placed long ago. */
export const buildOrder = (chainId: number, seed: number, changes: Partial<NewOrder> = {}): NewOrder =>
  newOrder(seed, {
    chainId,
    sellAmount: 1_000n,
    buyAmount: 2_000n,
    createdAt: new Date((genesis + seed) * 1_000),
    admissionMs: 7,
    ...changes,
  })

/** A settlement by an auction's winner, with its trade and its charges. */
export const buildSettledWin = (blockNumber: number, auctionId: number, seed: number, sellAmount: bigint) => ({
  settlements: [
    {
      blockNumber,
      logIndex: 9,
      transactionHash: hashOf(blockNumber),
      settledAt: new Date((genesis + blockNumber * 12) * 1_000),
      solver,
      auctionId,
      solutionUid: 0,
      gasUsed: 1n,
      effectiveGasPrice: 1n,
    },
  ],
  trades: [
    {
      blockNumber,
      logIndex: 8,
      transactionHash: hashOf(blockNumber),
      orderUid: uidOf(seed),
      owner,
      sellToken,
      buyToken,
      sellAmount,
      buyAmount: sellAmount * 2n + 100n,
      feeAmount: 0n,
      settlementLogIndex: 9,
    },
  ],
  executions: [
    {
      auctionId,
      orderUid: uidOf(seed),
      blockNumber,
      executedFee: 4n,
      executedFeeToken: sellToken,
      protocolFees: [{ token: buyToken, amount: '5' }],
    },
  ],
})

/**
 * Every kind of event that the indexer knows, in one block; the trade of order 50 and the invalidation of order 51 belong to
 * unknown orders.
 */
export const everyEvent = (chainId: number, blockNumber: number, uid: (seed: number) => Hex = uidOf): ChainEvents => {
  const settled = buildSettledWin(blockNumber, 1, 1, 1_000n)
  const [trade] = settled.trades
  const at = (logIndex: number) => ({ blockNumber, logIndex })
  const placedAt = new Date(genesis * 1_000)
  return {
    ...settled,
    trades: [50, 1].flatMap((seed) => (trade ? [{ ...trade, logIndex: 7 + (seed % 2), orderUid: uid(seed) }] : [])),
    invalidations: [
      { ...at(1), owner, orderUid: uid(3), transactionHash: hashOf(3) },
      { ...at(10), owner, orderUid: uid(51), transactionHash: hashOf(3) },
    ],
    presignatures: [{ ...at(2), owner, orderUid: uid(4), signed: true }],
    jitOrders: [{ ...withoutDocument(buildOrder(chainId, 20)), jitBlock: blockNumber }],
    onchainOrders: {
      placements: [
        { ...at(3), orderUid: placedUid, contract: placer, sender: onchainUser, placedAt },
        { ...at(4), orderUid: uidOf(31), contract: owner, sender: onchainUser, placedAt },
      ],
      placedOrders: [
        { ...withoutDocument(buildOrder(chainId, 30, { uid: placedUid, owner: placer })), onchainUser },
        { ...withoutDocument(buildOrder(chainId, 31)), onchainUser },
      ],
      cancellations: [{ ...at(5), contract: placer, orderUid: placedUid, transactionHash: hashOf(5) }],
      refunds: [{ ...at(6), contract: placer, orderUid: placedUid, transactionHash: hashOf(6) }],
    },
  }
}

const withoutDocument = ({ fullAppData: _, ...row }: NewOrder) => row
