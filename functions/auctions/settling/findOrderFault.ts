import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import type { AttemptOrder } from '#schema/queries/settlements/selectAttemptOrders.ts'
import { buildSignatureCheck, readSignatureVerdict, signatureOverrides } from '#shared/chain/calls/signatureCall.ts'
import type { Simulate, SimulatedCall, SimulationPlace } from '#shared/chain/calls/simulateCalls.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { buildSettlementCall } from '#shared/hooks/buildSettlementCall.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { buildPayout, buildPull } from '#shared/rehearsal/settlementSteps.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'

type FaultDeps = {
  network: Pick<Network, 'settlementContract' | 'vaultRelayer'>
  simulate: Simulate
}

/**
 * Finds why an order cannot be settled alone: what a settlement does for it, one call after the other and without any
 * other order or interaction, as the settlement contract or the vault relayer.
 * @param place where a transaction with the order failed; undefined: the newest state
 * @returns undefined when the order passes
 * @throws SimulationError
 */
export const findOrderFault = async (
  { network, simulate }: FaultDeps,
  order: AttemptOrder,
  place: SimulationPlace | undefined,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { settlementContract, vaultRelayer } = network
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
    { call: toPayout(network, { ...order, receiver: vaultRelayer }), fault: () => undefined },
    {
      call: toPayout(network, order),
      fault: (result, [control]) =>
        isTransferred(result) || (isToken(order) && control && !isTransferred(control))
          ? undefined
          : 'its receiver refuses the payment',
    },
  ]
  const { results } = await simulate(
    steps.map(({ call }) => call),
    signatureOverrides,
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

/**
 * A payment of nothing: the settlement contract may not hold the buy token outside of the settlement. The gas for a
 * receiver of the native token is not limited, because the transaction's access list is not known.
 */
const toPayout = (
  network: FaultDeps['network'],
  { receiver, owner, buyToken }: Pick<AttemptOrder, 'receiver' | 'owner' | 'buyToken'>,
): SimulatedCall => {
  const beneficiary = toBeneficiary({ receiver, owner })
  if (buyToken === nativeSentinel) return { from: network.settlementContract, to: beneficiary, data: '0x' }
  return buildPayout(network, { buyToken, beneficiary }, 0n)
}

const isToken = ({ buyToken }: AttemptOrder): boolean => buyToken !== nativeSentinel

const toWord = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Tokens return true or nothing. */
const isTransferred = ({ succeeded, returnData }: Result): boolean => succeeded && returnData !== toWord(0n)
