import type { Hex } from 'viem'
import { hashOf, newOrder } from './newOrder.ts'

const { owner, sellToken, buyToken } = newOrder(1)
const solver: Hex = `0x${'50'.repeat(20)}`

/** A settlement by an auction's winner, with its trade and its charges. */
export const buildSettledWin = (blockNumber: number, auctionId: number, orderUid: Hex, sellAmount: bigint) => {
  const transactionHash = hashOf(blockNumber)
  return {
    settlements: [
      {
        blockNumber,
        logIndex: 9,
        transactionHash,
        settledAt: new Date(),
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
        transactionHash,
        orderUid,
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
        orderUid,
        blockNumber,
        executedFee: 4n,
        executedFeeToken: sellToken,
        protocolFees: [{ token: buyToken, amount: '5' }],
      },
    ],
  }
}
