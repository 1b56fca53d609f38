import { encodeBalance } from '../../chain/calls/balanceCalls.ts'
import { decodeRevertReason } from '../../chain/calls/decodeRevertReason.ts'
import { isTransferAccepted } from '../../chain/calls/isTransferAccepted.ts'
import { readWord } from '../../chain/calls/readWord.ts'
import {
  buildSignatureCheck,
  readSignatureVerdict,
  signatureOverrides,
  toSignatureFacts,
} from '../../chain/calls/signatureCall.ts'
import type { SimulatedCall, Simulation } from '../../chain/calls/simulateCalls.ts'
import { findRevertingHook } from '../../hooks/findRevertingHook.ts'
import { readHooks } from '../../hooks/readHooks.ts'
import { simulateFunds } from '../../hooks/simulateFunds.ts'
import { buildPull } from '../../rehearsal/settlementSteps.ts'
import type { ChainFacts, TrialTransfer } from '../verdict/verdictFacts.ts'
import type { OrderFactsDeps, OrderQuery } from './orderQuery.ts'
import { readGas, toSettlementCall } from './toSettlementCall.ts'

/** Finds the facts of an order in one simulation. */
export const simulateForFacts = async (
  { network, simulate }: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<ChainFacts> => {
  const { settlementContract } = network
  const reads: SimulatedCall[] = [
    toSettlementCall(settlementContract, 'filledAmount', query.uid),
    toSettlementCall(settlementContract, 'preSignature', query.uid),
    ...(query.contractSignature === undefined
      ? []
      : [buildSignatureCheck(network, { ...query, signature: query.contractSignature }, query.maxGas)]),
  ]
  const balance = { to: query.sellToken, data: encodeBalance(settlementContract), gas: readGas }
  const moving = query.transfers.flatMap((amount) => [buildPull(network, query, amount), balance])
  const hooks = query.explainsHooks ? readHooks(query.preInteractions) : []
  const [{ outcomes, returned, block, ...funds }, revertingHook] = await Promise.all([
    simulateFunds(simulate, network, query, signal, [...reads, balance, ...moving], signatureOverrides),
    hooks.length > 0 ? findRevertingHook(simulate, network, hooks, signal) : undefined,
  ])
  const isPresigned = (readWord(returned[1]) ?? 0n) > 0n
  return {
    block,
    funds: { balance: funds.balance, allowance: funds.allowance },
    hooksRan: true,
    filledAmount: readWord(returned[0]),
    ...(query.contractSignature === undefined
      ? { isSigned: isPresigned, hasContract: undefined }
      : toSignatureFacts(readSignatureVerdict(returned[2]))),
    transfers: readTransfers(query.transfers, outcomes.slice(reads.length)),
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
