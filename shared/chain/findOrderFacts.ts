import type { Address, Hex } from 'viem'
import type { OrderInteraction } from '../hooks/buildHookInteractions.ts'
import { findRevertingHook } from '../hooks/findRevertingHook.ts'
import { readHooks } from '../hooks/readHooks.ts'
import { type FundsNetwork, simulateFunds } from '../hooks/simulateFunds.ts'
import type { Network } from '../networks.ts'
import type { ChainFacts, TrialTransfer } from '../orders/verdict/verdictFacts.ts'
import { encodeAllowance, encodeBalance } from './calls/balanceCalls.ts'
import { callInSequence } from './calls/callInSequence.ts'
import { createEncoder } from './calls/createEncoder.ts'
import { decodeRevertReason } from './calls/decodeRevertReason.ts'
import { isTransferAccepted } from './calls/isTransferAccepted.ts'
import { readWord } from './calls/readWord.ts'
import { encodeSignatureCheck, isAccepted } from './calls/signatureCall.ts'
import { type Simulate, type SimulatedCall, type Simulation, SimulationError } from './calls/simulateCalls.ts'
import type { ChainClient } from './connectChain.ts'
import { erc20Abi } from './erc20Abi.ts'
import { settlementAbi } from './settlementAbi.ts'

/** Parameters of the on-chain facts of an order. */
export type OrderQuery = {
  uid: Hex
  digest: Hex
  owner: Address
  sellToken: Address
  /** calls of the settlement contract before the trade; all facts are those after them */
  preInteractions: readonly OrderInteraction[]
  /** signature to check with the owner's contract; undefined unless the scheme is `eip1271` */
  contractSignature: Hex | undefined
  /** transfers to try in sequence, sell token atoms; the first that succeeds counts */
  transfers: readonly bigint[]
  /** gas units of the signature check: the maximum gas of settling the order */
  maxGas: bigint
  /** whether to find the first reverting hook, in a concurrent second call */
  explainsHooks: boolean
}

export type OrderFactsDeps = {
  network: FundsNetwork & Pick<Network, 'hooksTrampoline'>
  simulate: Simulate
  /** for nodes that cannot simulate */
  connect: () => ChainClient
}

const readGas = 1_000_000n
const transferGas = 2_000_000n

/**
 * Finds the on-chain facts of an order by simulation on the newest state: the settlement contract runs the order's
 * pre-interactions, then the owner's funds are read, the signature is checked, and the vault relayer transfers the sell
 * token. One round trip. A node that cannot simulate takes a second one: hooks then run before the signature check
 * only, called by another account, and transfers are skipped.
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
  const isPresigned = (readWord(returned[1]) ?? 0n) > 0n
  return {
    block,
    funds: { balance: funds.balance, allowance: funds.allowance },
    hooksRan: true,
    filledAmount: readWord(returned[0]),
    isSigned: query.contractSignature === undefined ? isPresigned : isAccepted(returned[2]),
    transfers: readTransfers(query.transfers, outcomes.slice(asked.length)),
    revertingHook,
  }
}

/** @param outcomes outcomes of a balance call, then of a transfer and a balance call for each amount */
const readTransfers = (amounts: readonly bigint[], outcomes: Simulation['results']): TrialTransfer[] => {
  const toHeld = (place: number) => {
    const outcome = outcomes[place]
    return readWord(outcome?.succeeded ? outcome.returnData : undefined) ?? 0n
  }
  return amounts.map((amount, i) => {
    const outcome = outcomes[2 * i + 1]
    return {
      amount,
      moved: outcome?.succeeded === true && isTransferAccepted(outcome.returnData),
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
  const isPresigned = (readWord(results[3]) ?? 0n) > 0n
  return {
    funds: { balance: readWord(results[0]), allowance: readWord(results[1]) },
    hooksRan: preInteractions.length === 0,
    filledAmount: readWord(results[2]),
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

const encoders = {
  filledAmount: createEncoder(settlementAbi, 'filledAmount'),
  preSignature: createEncoder(settlementAbi, 'preSignature'),
}

const toSettlementCall = (
  settlementContract: Address,
  functionName: 'filledAmount' | 'preSignature',
  uid: Hex,
): SimulatedCall => ({ to: settlementContract, data: encoders[functionName]([uid]), gas: readGas })

const encodeTransfer = createEncoder(erc20Abi, 'transferFrom')

const toTransfer = (network: FundsNetwork, { owner, sellToken }: OrderQuery, amount: bigint): SimulatedCall => ({
  from: network.vaultRelayer,
  to: sellToken,
  data: encodeTransfer([owner, network.settlementContract, amount]),
  gas: transferGas,
})
