import { farValidTo, historyBuyToken, historySellToken, numberedBytes } from './historyColumns.ts'

/** JSON of the plan of a swap in one pool: a transfer and the call of the pool. */
export const historyPlan = JSON.stringify({
  version: '1.0',
  interactions: [68, 164].map((bytes) => ({
    target: historySellToken,
    value: '0',
    callData: numberedBytes(1, bytes),
  })),
  preInteractions: [],
  jitOrders: [],
})

const amount = '1000000000000000000'

/** JSON of a notification's facts, as long as those of a filled order. */
export const historyFacts = JSON.stringify({
  ...{ kind: 'sell', partiallyFillable: false, sellToken: historySellToken, buyToken: historyBuyToken },
  ...{ sellAmount: amount, buyAmount: amount, validTo: farValidTo, placedOnchain: false },
  ...{ executedSellAmount: amount, executedBuyAmount: amount },
  trade: {
    ...{ transactionHash: numberedBytes(1, 32), blockNumber: 20_000_000, logIndex: 100 },
    ...{ sellAmount: amount, buyAmount: amount, feeAmount: '0' },
    ...{ surplus: amount, limitAmount: amount, quotedAmount: amount },
  },
})
