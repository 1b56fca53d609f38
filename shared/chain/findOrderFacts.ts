import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { OrderInteraction } from '../hooks/buildHookInteractions.ts'
import { findRevertingHook } from '../hooks/findRevertingHook.ts'
import { readHooks } from '../hooks/readHooks.ts'
import { type FundsNetwork, simulateFunds } from '../hooks/simulateFunds.ts'
import type { Network } from '../networks.ts'
import type { ChainFacts, TrialTransfer } from '../orders/verdict/verdictFacts.ts'
import { callInSequence } from './calls/callInSequence.ts'
import { decodeRevertReason } from './calls/decodeRevertReason.ts'
import {
  encodeAllowance,
  encodeBalance,
  encodeSignatureCheck,
  isAccepted,
  isAgreed,
  toAmount,
} from './calls/orderCalls.ts'
import { type Simulate, type SimulatedCall, type Simulation, SimulationError } from './calls/simulateCalls.ts'
import type { ChainClient } from './connectChain.ts'
import { erc20Abi } from './erc20Abi.ts'
import { settlementAbi } from './settlementAbi.ts'

/** An order as the chain is asked about it. */
export type OrderQuery = {
  uid: Hex
  digest: Hex
  owner: Address
  sellToken: Address
  /** what the settlement contract calls first; all facts are those after it */
  preInteractions: readonly OrderInteraction[]
  /** what to ask the owner's contract; undefined unless the scheme is `eip1271` */
  contractSignature: Hex | undefined
  /** amounts to try to move one after the other, sell token atoms; the first that moves counts */
  transfers: readonly bigint[]
  /** gas units for the signature check: as much as settling the order may take */
  maxGas: bigint
  /** look for the first hook that reverts, in a second call beside the first */
  explainsHooks: boolean
}

export type OrderFactsDeps = {
  network: FundsNetwork & Pick<Network, 'hooksTrampoline'>
  simulate: Simulate
  /** for a node that cannot simulate */
  connect: () => ChainClient
}

const readGas = 1_000_000n
const transferGas = 2_000_000n

/**
 * What the chain says of an order on its newest state, without sending anything: the settlement contract runs what the order
 * wants called first, then the owner's funds are read, the signature is checked, and the vault relayer moves the sell token. One round
 * trip. A node that cannot simulate costs a second one: then hooks run before the signature check only, called by another account,
 * and no transfer is tried.
 * @throws SimulationError when the node fails or `signal` ends the wait
 */
export const findOrderFacts = async (
  deps: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<ChainFacts> => {
  try {
    return await simulateForFacts(deps, query, signal)
  } catch (error) {
    if (!(error instanceof SimulationError) || signal.aborted) throw error
    const isPlain = query.preInteractions.length === 0
    if (error.reason === 'nodeCannotSimulate' || (error.isResponse && isPlain)) return callForFacts(deps, query, signal)
    throw error
  }
}

const simulateForFacts = async (
  { network, simulate }: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<ChainFacts> => {
  const { settlementContract } = network
  const asked: SimulatedCall[] = [
    toSettlementCall(settlementContract, 'filledAmount', query.uid),
    toSettlementCall(settlementContract, 'preSignature', query.uid),
    ...(query.contractSignature === undefined
      ? []
      : [{ to: query.owner, data: encodeSignatureCheck(query.digest, query.contractSignature), gas: query.maxGas }]),
  ]
  const balance = { to: query.sellToken, data: encodeBalance(settlementContract), gas: readGas }
  const moving = query.transfers.flatMap((amount) => [toTransfer(network, query, amount), balance])
  const hooks = query.explainsHooks ? readHooks(query.preInteractions) : []
  const [{ outcomes, returned, block, ...funds }, revertingHook] = await Promise.all([
    simulateFunds(simulate, network, query, signal, [...asked, balance, ...moving]),
    hooks.length > 0 ? findRevertingHook(simulate, network, hooks, signal) : undefined,
  ])
  const isPresigned = (toAmount(returned[1]) ?? 0n) > 0n
  return {
    block,
    funds: { balance: funds.balance, allowance: funds.allowance },
    hooksRan: true,
    filledAmount: toAmount(returned[0]),
    isSigned: query.contractSignature === undefined ? isPresigned : isAccepted(returned[2]),
    transfers: readTransfers(query.transfers, outcomes.slice(asked.length)),
    revertingHook,
  }
}

/** @param outcomes of a balance, and then of a transfer and a balance for each amount */
const readTransfers = (amounts: readonly bigint[], outcomes: Simulation['results']): TrialTransfer[] => {
  const toHeld = (place: number) => {
    const outcome = outcomes[place]
    return toAmount(outcome?.succeeded ? outcome.returnData : undefined) ?? 0n
  }
  return amounts.map((amount, i) => {
    const outcome = outcomes[2 * i + 1]
    return {
      amount,
      moved: outcome?.succeeded === true && isAgreed(outcome.returnData),
      received: toHeld(2 * i + 2) - toHeld(2 * i),
      revert: outcome?.succeeded ? undefined : decodeRevertReason(outcome?.returnData),
    }
  })
}

const callForFacts = async (
  { network, connect }: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<ChainFacts> => {
  const { owner, sellToken, preInteractions, contractSignature, digest, uid, maxGas } = query
  const { settlementContract } = network
  const calls = [
    { target: sellToken, callData: encodeBalance(owner) },
    { target: sellToken, callData: encodeAllowance(owner, network.vaultRelayer) },
    { target: settlementContract, callData: toSettlementCall(settlementContract, 'filledAmount', uid).data },
    { target: settlementContract, callData: toSettlementCall(settlementContract, 'preSignature', uid).data },
  ]
  if (contractSignature !== undefined) {
    calls.push(...readHooks(preInteractions).map(({ target, callData }) => ({ target, callData })))
    calls.push({ target: owner, callData: encodeSignatureCheck(digest, contractSignature) })
  }
  const results = await untilAborted(callInSequence(connect(), calls, maxGas), signal)
  const isPresigned = (toAmount(results[3]) ?? 0n) > 0n
  return {
    funds: { balance: toAmount(results[0]), allowance: toAmount(results[1]) },
    hooksRan: preInteractions.length === 0,
    filledAmount: toAmount(results[2]),
    isSigned: contractSignature === undefined ? isPresigned : isAccepted(results.at(-1)),
  }
}

/** @throws SimulationError */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const stop = () => late.reject(new SimulationError('timeout'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, late.promise])
  } catch (error) {
    if (error instanceof SimulationError) throw error
    throw new SimulationError('nodeUnavailable')
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const toSettlementCall = (
  settlementContract: Address,
  functionName: 'filledAmount' | 'preSignature',
  uid: Hex,
): SimulatedCall => ({
  to: settlementContract,
  data: encodeFunctionData({ abi: settlementAbi, functionName, args: [uid] }),
  gas: readGas,
})

const toTransfer = (network: FundsNetwork, { owner, sellToken }: OrderQuery, amount: bigint): SimulatedCall => ({
  from: network.vaultRelayer,
  to: sellToken,
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [owner, network.settlementContract, amount],
  }),
  gas: transferGas,
})
