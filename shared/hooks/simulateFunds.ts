import { type Address, encodeFunctionData, type Hex } from 'viem'
import { erc20Abi } from '../chain/erc20Abi.ts'
import type { Simulate, SimulatedCall, Simulation } from '../chain/simulateCalls.ts'
import type { Network } from '../networks.ts'
import type { PlainCall } from './buildHookInteractions.ts'
import { buildSettlementCall } from './buildSettlementCall.ts'

/** What an owner could pay with, sell token atoms; undefined where the token gave no usable answer. */
export type Funds = { balance: bigint | undefined; allowance: bigint | undefined }

export type FundsNetwork = Pick<Network, 'settlementContract' | 'vaultRelayer'>

export type FundsQuery = {
  owner: Address
  sellToken: Address
  /** what the settlement contract calls first */
  preInteractions: readonly PlainCall[]
}

/** gas units of one question: plenty for any token */
const readGas = 1_000_000n

/**
 * What the owner of an order has, and has approved to the vault relayer, once the settlement contract made the order's own
 * calls: one simulation on the newest state, in which the settlement contract is the caller, as hooks expect.
 * @param further calls to make after those two questions
 * @returns the funds, what the further calls returned (undefined for one that reverts), and their outcomes in full
 * @throws SimulationError
 */
export const simulateFunds = async (
  simulate: Simulate,
  network: FundsNetwork,
  { owner, sellToken, preInteractions }: FundsQuery,
  signal: AbortSignal,
  further: readonly SimulatedCall[] = [],
): Promise<Funds & { returned: (Hex | undefined)[]; outcomes: Simulation['results']; block: number }> => {
  const before = preInteractions.map((interaction) => buildSettlementCall(network, interaction))
  const questions = [
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, network.vaultRelayer] }),
  ].map((data): SimulatedCall => ({ to: sellToken, data, gas: readGas }))
  const { results, block } = await simulate([...before, ...questions, ...further], {}, signal)
  const [balance, allowance, ...returned] = results
    .slice(before.length)
    .map(({ succeeded, returnData }) => (succeeded ? returnData : undefined))
  const outcomes = results.slice(before.length + questions.length)
  return { balance: toAmount(balance), allowance: toAmount(allowance), returned, outcomes, block }
}

/** More than one word is read by its first, as contracts do; less is no amount. */
const toAmount = (returnData: Hex | undefined): bigint | undefined =>
  returnData && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : undefined
