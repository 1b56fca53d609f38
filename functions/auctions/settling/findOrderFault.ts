import { type AccessList, type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { AttemptOrder } from '#schema/queries/settlements/selectAttemptOrders.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { beforeAbort } from '#shared/chain/calls/beforeAbort.ts'
import { createPayoutAccess } from '#shared/chain/calls/createPayoutAccess.ts'
import { buildSignatureCheck, readSignatureVerdict, signatureOverrides } from '#shared/chain/calls/signatureCall.ts'
import type { Simulate, SimulatedCall, SimulationPlace } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { buildSettlementCall } from '#shared/hooks/buildSettlementCall.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { buildPayout, buildPull } from '#shared/rehearsal/settlementSteps.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'

type FaultDeps = {
  network: Pick<Network, 'settlementContract' | 'vaultRelayer'>
  chain: Pick<ChainClient, 'request'>
  simulate: Simulate
}

/** Where a transaction with an order failed, and what it declared. */
export type FailedPlace = SimulationPlace & { accessList: AccessList }

/**
 * Finds why an order cannot be settled alone: what a settlement does for it, one call after the other and without any
 * other order or interaction, as the settlement contract or the vault relayer. A payment of ether has the gas of a
 * settlement, and the access lists of the transaction and of honest solvers.
 * @param place undefined: the newest state
 * @returns undefined when the order passes
 * @throws SimulationError; viem errors when the node does not respond
 */
export const findOrderFault = async (
  { network, chain, simulate }: FaultDeps,
  order: AttemptOrder,
  place: FailedPlace | undefined,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { settlementContract, vaultRelayer } = network
  const beneficiary = toBeneficiary(order)
  const payout = await beforeAbort(buildOwnPayout({ network, chain }, order, beneficiary, place), signal)
  const read = (functionName: 'filledAmount' | 'preSignature'): SimulatedCall => ({
    to: settlementContract,
    data: encodeFunctionData({ abi: settlementAbi, functionName, args: [order.uid] }),
  })
  const steps: Step[] = [
    // the trampoline reports no revert, so only its effect counts
    ...order.preInteractions.map((hook) => ({ call: buildSettlementCall(network, hook), fault: () => undefined })),
    {
      call: read('filledAmount'),
      fault: ({ returnData }) => (returnData === toWord(maxUint256) ? 'it is invalidated' : undefined),
    },
    ...listSignatureSteps(network, order, read('preSignature')),
    {
      call: buildPull(network, order, order.executedSell),
      fault: (result) => (order.isFunded || isTransferred(result) ? undefined : 'its owner does not pay'),
    },
    // some tokens refuse any payment of nothing, which is no fault of the receiver
    { call: buildPayout(network, { ...order, beneficiary: vaultRelayer }, 0n), fault: () => undefined },
    {
      call: payout,
      fault: (result, [control]) =>
        isTransferred(result) || (isToken(order) && control && !isTransferred(control))
          ? undefined
          : 'its receiver refuses the payment',
    },
  ]
  const { results } = await simulate(
    steps.map(({ call }) => call),
    { ...signatureOverrides, [settlementContract]: { balance: richBalance } },
    signal,
    place,
  )
  for (const [i, { fault }] of steps.entries()) {
    const result = results[i]
    const found = result && fault(result, results.slice(i - 1, i))
    if (found) return found
  }
  return undefined
}

type Result = { succeeded: boolean; returnData: Hex }
/** gas units: as much as settling an order may take */
const signatureGas = 8_000_000n

/** `before` is the result of the previous step. */
type Step = { call: SimulatedCall; fault: (result: Result, before: readonly Result[]) => string | undefined }

const listSignatureSteps = (
  network: FaultDeps['network'],
  { signingScheme, uid, owner, signature }: AttemptOrder,
  readPreSignature: SimulatedCall,
): Step[] => {
  if (signingScheme === 'presign') {
    const isUnsigned = ({ returnData }: Result) => returnData === toWord(0n)
    return [{ call: readPreSignature, fault: (result) => (isUnsigned(result) ? 'it is not pre-signed' : undefined) }]
  }
  if (signingScheme !== 'eip1271') return []
  const { digest } = unpackOrderUid(uid)
  return [
    {
      call: buildSignatureCheck(network, { owner, digest, signature }, signatureGas),
      fault: ({ returnData }) =>
        readSignatureVerdict(returnData) === 'accepted' ? undefined : 'its owner refuses the signature',
    },
  ]
}

/** wei that the settlement contract has and pays at most */
const [richBalance, maxPayout] = [10n ** 30n, 10n ** 26n]

/** A token's payment is of nothing: the settlement contract may not hold the buy token outside of the settlement. */
const buildOwnPayout = async (
  { network, chain }: Omit<FaultDeps, 'simulate'>,
  order: AttemptOrder,
  beneficiary: Address,
  place: FailedPlace | undefined,
): Promise<SimulatedCall> => {
  const payout = { buyToken: order.buyToken, beneficiary }
  if (isToken(order)) return buildPayout(network, payout, 0n)
  const found = await createPayoutAccess(chain, network.settlementContract)([beneficiary])
  const access = [...(place?.accessList ?? []), ...(found.get(beneficiary) ?? [])]
  return buildPayout(network, payout, minOf(order.executedBuy, maxPayout), access)
}

const isToken = ({ buyToken }: AttemptOrder): boolean => buyToken !== nativeSentinel

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Tokens return true or nothing. */
const isTransferred = ({ succeeded, returnData }: Result): boolean => succeeded && returnData !== toWord(0n)
