import { minOf } from '../../amounts/minMax.ts'
import { encodeBalance } from '../../chain/calls/balanceCalls.ts'
import { createPayoutAccess } from '../../chain/calls/createPayoutAccess.ts'
import { decodeRevertReason } from '../../chain/calls/decodeRevertReason.ts'
import { isTransferAccepted } from '../../chain/calls/isTransferAccepted.ts'
import { readWord } from '../../chain/calls/readWord.ts'
import {
  buildSignatureCheck,
  readSignatureVerdict,
  signatureOverrides,
  toSignatureFacts,
} from '../../chain/calls/signatureCall.ts'
import type { Simulate, SimulatedCall, Simulation } from '../../chain/calls/simulateCalls.ts'
import { buildSettlementCall } from '../../hooks/buildSettlementCall.ts'
import { findRevertingHook } from '../../hooks/findRevertingHook.ts'
import { readHooks } from '../../hooks/readHooks.ts'
import { simulateFunds } from '../../hooks/simulateFunds.ts'
import { nativeSentinel } from '../../networks.ts'
import { buildPayout, buildPull } from '../../rehearsal/settlementSteps.ts'
import type { ChainFacts, TrialPayout, TrialTransfer } from '../verdict/verdictFacts.ts'
import type { OrderFactsDeps, OrderQuery } from './orderQuery.ts'
import { readGas, toSettlementCall } from './toSettlementCall.ts'

/** Finds the facts of an order in one simulation; with `explainsHooks` a second one finds the first hook that reverts. */
export const simulateForFacts = async (
  deps: OrderFactsDeps,
  query: OrderQuery,
  signal: AbortSignal,
  { place, explainsHooks = false }: { place?: 'later' | undefined; explainsHooks?: boolean } = {},
): Promise<ChainFacts> => {
  const { network } = deps
  const simulate: Simulate = (calls, state, until) => deps.simulate(calls, state, until, place)
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
  const payouts = query.payout ? listPayouts(network, query.payout) : []
  const overrides = { ...signatureOverrides, [settlementContract]: { balance: richBalance } }
  const further = [...reads, balance, ...moving, ...payouts]
  const { outcomes, returned, block, ...funds } = await simulateFunds(
    simulate,
    network,
    query,
    signal,
    further,
    overrides,
  )
  const hooks = explainsHooks ? readHooks(query.preInteractions) : []
  const isPresigned = (readWord(returned[1]) ?? 0n) > 0n
  return {
    block,
    funds,
    hooksRan: true,
    filledAmount: readWord(returned[0]),
    ...(query.contractSignature === undefined
      ? { isSigned: isPresigned, hasContract: undefined }
      : toSignatureFacts(readSignatureVerdict(returned[2]))),
    transfers: readTransfers(query.transfers, outcomes.slice(reads.length)),
    payout:
      payouts.length > 0
        ? await readPayout({ ...deps, simulate }, query, outcomes.slice(-payouts.length), signal)
        : undefined,
    revertingHook: hooks.length > 0 ? await findRevertingHook(simulate, network, hooks, signal) : undefined,
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

/** wei, for payouts of the native token */
const richBalance = 2n ** 128n
/** largest trial payout of the native token, wei */
const maxPayout = 10n ** 18n

/**
 * The native token is paid as in a settlement. The settlement contract may not hold other tokens outside of one, so it
 * pays nothing of them, first to the vault relayer as a control: some tokens refuse any payment of nothing.
 */
const listPayouts = (network: OrderFactsDeps['network'], payout: NonNullable<OrderQuery['payout']>): SimulatedCall[] =>
  payout.buyToken === nativeSentinel
    ? [buildPayout(network, payout, minOf(payout.amount, maxPayout))]
    : [network.vaultRelayer, payout.beneficiary].map((beneficiary) =>
        buildPayout(network, { ...payout, beneficiary }, 0n),
      )

/** A contract that does not take the native token is tried again with the access list of solvers. */
const readPayout = async (
  { network, simulate, connect }: OrderFactsDeps,
  { payout, preInteractions }: OrderQuery,
  outcomes: Simulation['results'],
  signal: AbortSignal,
): Promise<TrialPayout | undefined> => {
  const last = outcomes.at(-1)
  if (isPaid(last)) return { paid: true }
  if (payout?.buyToken !== nativeSentinel) {
    return isPaid(outcomes[0]) ? { paid: false, revert: decodeRevertReason(last?.returnData) } : undefined
  }
  const { settlementContract } = network
  const { beneficiary, amount } = payout
  const found = await createPayoutAccess(connect(), settlementContract)([beneficiary]).catch(() => undefined)
  if (!found || signal.aborted) return undefined
  const before = preInteractions.map((interaction) => buildSettlementCall(network, interaction))
  const again = buildPayout(network, payout, minOf(amount, maxPayout), found.get(beneficiary))
  const overrides = { [settlementContract]: { balance: richBalance } }
  const { results } = await simulate([...before, again], overrides, signal)
  const paid = results.at(-1)
  return paid?.succeeded ? { paid: true } : { paid: false, revert: decodeRevertReason(paid?.returnData) }
}

const isPaid = (outcome: Simulation['results'][number] | undefined): boolean =>
  outcome?.succeeded === true && isTransferAccepted(outcome.returnData)
