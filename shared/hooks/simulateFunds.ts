import type { Address, Hex } from 'viem'
import { encodeAllowance, encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readWord } from '../chain/calls/readWord.ts'
import type { Simulate, SimulatedCall, Simulation, StateOverrides } from '../chain/calls/simulateCalls.ts'
import type { Network } from '../networks.ts'
import type { PlainCall } from './buildHookInteractions.ts'
import { buildSettlementCall } from './buildSettlementCall.ts'

/** Funds of an owner, sell token atoms; undefined when the token returns no valid amount. */
export type SimulatedFunds = { balance: bigint | undefined; allowance: bigint | undefined }

export type FundsNetwork = Pick<Network, 'settlementContract' | 'vaultRelayer'>

export type FundsQuery = {
  owner: Address
  sellToken: Address
  /** calls of the settlement contract before the reads */
  preInteractions: readonly PlainCall[]
}

/** gas units of one read: sufficient for any token */
const readGas = 1_000_000n

/**
 * Reads the owner's balance and allowance for the vault relayer after the order's own calls: one simulation on the newest
 * state, in which the settlement contract is the caller, as hooks expect.
 * @param further calls after those two reads
 * @param overrides state that the simulation begins with
 * @returns the funds, the return data of the further calls (undefined for a revert), and their full outcomes
 * @throws SimulationError
 */
export const simulateFunds = async (
  simulate: Simulate,
  network: FundsNetwork,
  { owner, sellToken, preInteractions }: FundsQuery,
  signal: AbortSignal,
  further: readonly SimulatedCall[] = [],
  overrides: StateOverrides = {},
): Promise<SimulatedFunds & { returned: (Hex | undefined)[]; outcomes: Simulation['results']; block: number }> => {
  const before = preInteractions.map((interaction) => buildSettlementCall(network, interaction))
  const questions = [encodeBalance(owner), encodeAllowance(owner, network.vaultRelayer)].map(
    (data): SimulatedCall => ({ to: sellToken, data, gas: readGas }),
  )
  const { results, block } = await simulate([...before, ...questions, ...further], overrides, signal)
  const [balance, allowance, ...returned] = results
    .slice(before.length)
    .map(({ succeeded, returnData }) => (succeeded ? returnData : undefined))
  const outcomes = results.slice(before.length + questions.length)
  return { balance: readWord(balance), allowance: readWord(allowance), returned, outcomes, block }
}
