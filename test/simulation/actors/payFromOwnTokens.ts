import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { toAllowanceKey, toBalanceKey, tokenAbi } from '../chain/contracts/tokenCode.ts'
import { honestTokens, network } from '../market.ts'
import type { World } from '../world.ts'

export type Amounts = { executedSell: bigint; executedBuy: bigint }

/** Gives a solver enough of all honest tokens to pay orders with. */
export const fundSolver = (store: World['chain']['store'], solver: Address): void => {
  for (const { address: token } of honestTokens) {
    store.set(toBalanceKey(token, solver), 10n ** 30n)
    store.set(toAllowanceKey(token, solver, network.settlementContract), 10n ** 30n)
  }
}

/** Whether its settlement is one trade of honest tokens. */
export const isSimple = ({ sellToken, buyToken, executed, feeAmount, ...order }: AuctionOrder): boolean =>
  [sellToken, buyToken].every((token) => honestTokens.some((known) => known.address === token)) &&
  buyToken !== nativeSentinel &&
  executed === 0n &&
  feeAmount === 0n &&
  order.preInteractions.length + order.postInteractions.length === 0

/** Amounts better than the limit by some thousandths. */
export const improve = ({ kind, sellAmount, buyAmount }: AuctionOrder, thousandths: bigint): Amounts =>
  kind === 'sell'
    ? { executedSell: sellAmount, executedBuy: (buyAmount * (1_000n + thousandths)) / 1_000n }
    : { executedSell: (sellAmount * (1_000n - thousandths)) / 1_000n, executedBuy: buyAmount }

/** Amounts one atom better than the limit. */
export const addAtom = ({ kind, sellAmount, buyAmount }: AuctionOrder): Amounts =>
  kind === 'sell'
    ? { executedSell: sellAmount, executedBuy: buyAmount + 1n }
    : { executedSell: sellAmount - 1n, executedBuy: buyAmount }

/** Calldata that settles an order with these amounts, paid by the solver. */
export const encodeOwnPayment = (
  order: AuctionOrder,
  { executedSell, executedBuy }: Amounts,
  { auctionId, solver }: { auctionId: bigint; solver: Address },
): Hex => {
  const { sellToken, buyToken } = order
  const callData = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transferFrom',
    args: [solver, network.settlementContract, executedBuy],
  })
  const signed = { ...order, receiver: order.receiver ?? zeroAddress, appDataHash: order.appData }
  const { owner, signingScheme: scheme, signature } = order
  return encodeSettlement({
    auctionId,
    uniformPrices: new Map([
      [sellToken, executedBuy],
      [buyToken, executedSell],
    ]),
    trades: [{ order: signed, owner, scheme, signature, executedSell, executedBuy }],
    interactions: { pre: [], intra: [{ target: buyToken, value: 0n, callData }], post: [] },
  })
}

/** Amounts of the whole order at its limit. */
export const toLimit = ({ sellAmount, buyAmount }: AuctionOrder): Amounts => ({
  executedSell: sellAmount,
  executedBuy: buyAmount,
})
