import { concatHex, encodeFunctionData, type Hex, numberToHex, zeroAddress } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { encodeTradeFlags } from '#shared/signing/encodeTradeFlags.ts'
import {
  type AuctionOrder,
  type SettleRequest,
  type SolveRequest,
  solveRequestSchema,
} from '#shared/solvers/driverApi.ts'
import type { CreateActor } from '../arena.ts'
import { buildClaims } from '../buildClaims.ts'
import { payFromProvider } from '../payFromProvider.ts'

/** Ratios in 1/10000 of the market: slightly, plausibly and wildly too much. */
const lies = [10_010n, 10_030n, 10_200n, 15_000n, 10n ** 10n] as const
const neverReturns = () => new Promise<never>(() => undefined)

/** A solver that promises more than the market gives, and then settles at the limit or not at all. */
export const lyingSolver: CreateActor = (arena, dice) => {
  const driver = arena.drivers.lying
  let auction: SolveRequest | undefined
  let ratio: bigint = lies[0]

  const settle = async ({ solutionId, auctionId }: SettleRequest): Promise<void> => {
    const order = auction?.id === auctionId ? auction.orders[solutionId] : undefined
    const way = dice.pick(['hangs', 'refuses', 'says it settled', 'settles at the limit'])
    arena.count(`lying solver wins and ${way}`)
    if (way === 'hangs') await neverReturns()
    if (way === 'refuses') throw new Error('the market moved')
    if (way === 'settles at the limit' && order) {
      const data = encodeSettlementAtLimit(order, BigInt(auctionId))
      await arena.send(driver.address, arena.stack.info.contracts.settlement, data)
    }
  }
  return {
    name: 'lying solver',
    pauseMs: [3_000, 8_000],
    prepare: async () => {
      await payFromProvider(arena, arena.stack.info.contracts.settlement)
      driver.settle = settle
      driver.solve = (request) => {
        auction = solveRequestSchema.parse(request)
        return buildClaims(auction, driver.address, () => ratio)
      }
    },
    act: async () => {
      ratio = dice.pick(lies)
      const value = () => 10n ** BigInt(dice.between(6, 40))
      const tokens = Object.values(arena.stack.info.tokens)
      driver.values = Object.fromEntries(tokens.map(({ address }) => [address, value()]))
    },
  }
}

/** Calldata that fills an order at its limit from what the settlement contract holds. */
const encodeSettlementAtLimit = (order: AuctionOrder, auctionId: bigint): Hex => {
  const { sellAmount, buyAmount, executed } = order
  const trade = {
    sellTokenIndex: 0n,
    buyTokenIndex: 1n,
    receiver: order.receiver ?? zeroAddress,
    sellAmount,
    buyAmount,
    validTo: order.validTo,
    appData: order.appData,
    feeAmount: 0n,
    flags: encodeTradeFlags(order, order.signingScheme),
    executedAmount: (order.kind === 'sell' ? sellAmount : buyAmount) - executed,
    signature: order.signature,
  }
  const data = encodeFunctionData({
    abi: settlementAbi,
    functionName: 'settle',
    args: [[order.sellToken, order.buyToken], [buyAmount, sellAmount], [trade], [[], [], []]],
  })
  return concatHex([data, numberToHex(auctionId, { size: 8 })])
}
