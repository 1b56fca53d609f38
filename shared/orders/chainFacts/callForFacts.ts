import type { Address, Hex } from 'viem'
import { encodeAllowance, encodeBalance } from '../../chain/calls/balanceCalls.ts'
import { beforeAbort } from '../../chain/calls/beforeAbort.ts'
import { callInSequence } from '../../chain/calls/callInSequence.ts'
import { readWord } from '../../chain/calls/readWord.ts'
import {
  buildSignatureCheck,
  encodeSignatureCheck,
  isAccepted,
  readSignatureVerdict,
  type SignatureVerdict,
  signatureState,
  toSignatureFacts,
} from '../../chain/calls/signatureCall.ts'
import { SimulationError } from '../../chain/calls/simulateCalls.ts'
import { readHooks } from '../../hooks/readHooks.ts'
import type { ChainFacts } from '../verdict/verdictFacts.ts'
import type { OrderFactsDeps, OrderQuery } from './orderQuery.ts'
import { toSettlementCall } from './toSettlementCall.ts'

/** Finds the facts of an order by calls, for a node that cannot simulate. */
export const callForFacts = async (
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
    const check = buildSignatureCheck(network, { owner, digest, signature: contractSignature }, maxGas)
    calls.push({ target: check.to, callData: check.data })
    // for a node that takes no state overrides
    calls.push({ target: owner, callData: encodeSignatureCheck(digest, contractSignature) })
  }
  const state = contractSignature === undefined ? undefined : signatureState
  const results = await beforeAbort(callInSequence(connect(), calls, maxGas, state), signal).catch((error: unknown) => {
    throw error instanceof SimulationError ? error : new SimulationError('nodeUnavailable')
  })
  const isPresigned = (readWord(results[3]) ?? 0n) > 0n
  return {
    block: undefined,
    funds: { balance: readWord(results[0]), allowance: readWord(results[1]) },
    hooksRan: preInteractions.length === 0,
    filledAmount: readWord(results[2]),
    ...(contractSignature === undefined
      ? { isSigned: isPresigned, hasContract: undefined }
      : toSignatureFacts(readVerdict(owner, results.slice(-2)))),
    transfers: undefined,
    payout: undefined,
    revertingHook: undefined,
  }
}

const readVerdict = (owner: Address, [exact, plain]: readonly (Hex | undefined)[]): SignatureVerdict =>
  readSignatureVerdict(exact) ?? (isAccepted(owner, plain) ? 'accepted' : 'rejected')
