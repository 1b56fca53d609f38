import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import { type AuctionOrder, settleRequestSchema, solveRequestSchema } from '#shared/solvers/driverApi.ts'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { toAllowanceKey, toBalanceKey, tokenAbi } from '../chain/contracts/tokenCode.ts'
import { honestTokens, network } from '../market.ts'
import type { PlayedSolver } from '../service.ts'
import { toLogText, type World } from '../world.ts'

export type UnderpayingSolverTerms = {
  name: string
  address: Address
  store: World['chain']['store']
  dice: ReturnType<World['dice']>
  /** waits in virtual time */
  sleep: (milliseconds: number) => Promise<void>
  /** sends a transaction to the settlement contract */
  send: (data: Hex) => void
}

type Amounts = { executedSell: bigint; executedBuy: bigint }

/**
 * A solver that wins with a promise and settles for the limit. It pays from its own tokens, so that nothing else in the
 * settlement differs from an honest one.
 */
export const createUnderpayingSolver = (terms: UnderpayingSolverTerms): PlayedSolver => {
  const { name, address, store, dice, sleep, send } = terms
  for (const { address: token } of honestTokens) {
    store.set(toBalanceKey(token, address), 10n ** 30n)
    store.set(toAllowanceKey(token, address, network.settlementContract), 10n ** 30n)
  }
  const promised = new Map<number, AuctionOrder>()
  let solutions = 0

  const solve = async (request: Request): Promise<Response> => {
    const { orders } = solveRequestSchema.parse(await request.json())
    const chosen = orders.filter((order) => isSimple(order) && dice.chance(0.3)).slice(0, 2)
    return new Response(
      toLogText({
        solutions: chosen.map((order) => {
          solutions += 1
          promised.set(solutions, order)
          const { uid, kind, sellToken, buyToken, sellAmount, buyAmount } = order
          const amounts = improve(order, BigInt(dice.between(5, 40)))
          const terms = { side: kind, sellToken, buyToken, limitSell: sellAmount, limitBuy: buyAmount }
          return { solutionId: solutions, submissionAddress: address, orders: { [uid]: { ...terms, ...amounts } } }
        }),
      }),
    )
  }
  const settle = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = settleRequestSchema.parse(await request.json())
    const order = promised.get(solutionId)
    if (!order) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    send(encodeAtLimit(order, BigInt(auctionId), address))
    await sleep(dice.between(12_000, 24_000))
    return new Response(null)
  }
  return {
    name,
    address,
    answer: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/solve') return solve(request)
      if (pathname === '/settle') return settle(request)
      return Response.json({ kind: 'QuotingFailed', description: 'no quotes' }, { status: 400 })
    },
  }
}

/** Whether its settlement is one trade of honest tokens. */
const isSimple = ({ sellToken, buyToken, executed, feeAmount, ...order }: AuctionOrder): boolean =>
  [sellToken, buyToken].every((token) => honestTokens.some((known) => known.address === token)) &&
  buyToken !== nativeSentinel &&
  executed === 0n &&
  feeAmount === 0n &&
  order.preInteractions.length + order.postInteractions.length === 0

/** Amounts better than the limit by some thousandths. */
const improve = ({ kind, sellAmount, buyAmount }: AuctionOrder, thousandths: bigint): Amounts =>
  kind === 'sell'
    ? { executedSell: sellAmount, executedBuy: (buyAmount * (1_000n + thousandths)) / 1_000n }
    : { executedSell: (sellAmount * (1_000n - thousandths)) / 1_000n, executedBuy: buyAmount }

/** Calldata that settles the whole order at its limit, paid by the solver. */
const encodeAtLimit = (order: AuctionOrder, auctionId: bigint, solver: Address): Hex => {
  const { sellToken, buyToken, sellAmount, buyAmount } = order
  const callData = encodeFunctionData({
    abi: tokenAbi,
    functionName: 'transferFrom',
    args: [solver, network.settlementContract, buyAmount],
  })
  const signed = { ...order, receiver: order.receiver ?? zeroAddress, appDataHash: order.appData }
  return encodeSettlement({
    auctionId,
    uniformPrices: new Map([
      [sellToken, buyAmount],
      [buyToken, sellAmount],
    ]),
    trades: [
      {
        order: signed,
        owner: order.owner,
        scheme: order.signingScheme,
        signature: order.signature,
        executedSell: sellAmount,
        executedBuy: buyAmount,
      },
    ],
    interactions: { pre: [], intra: [{ target: buyToken, value: 0n, callData }], post: [] },
  })
}
