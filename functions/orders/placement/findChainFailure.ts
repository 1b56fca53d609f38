import type { Address, Hex } from 'viem'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import { computeAllowance, computeBalance, computeTransferability } from '#shared/orders/verdict/computeFunding.ts'
import { computeSignature, computeTokens } from '#shared/orders/verdict/computePermission.ts'
import { computePayout, computeSupport } from '#shared/orders/verdict/computeSettling.ts'
import { computeState } from '#shared/orders/verdict/computeStanding.ts'
import { computeFindings, type Failure, findReason } from '#shared/orders/verdict/computeVerdict.ts'
import { toPublicReason } from '#shared/orders/verdict/finding.ts'
import { toNewOrder } from '#shared/orders/verdict/toNewOrder.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import { describeTokenFault } from '#shared/tokens/tokenFault.ts'

export type ChainRules = {
  network: Pick<Network, 'settlementContract' | 'vaultRelayer'>
  unsupportedTokens: ReadonlySet<Address>
  solverFeatures: readonly ReadonlySet<SolverFeature>[]
}

type SignedOrder = OrderCreation & { uid: Hex; digest: Hex; owner: Address }

/** Checks that depend on the chain; all others were checked before or do not apply to new orders. */
const checks = [
  computeState,
  computeTokens,
  computeSignature,
  computeBalance,
  computeAllowance,
  computeTransferability,
  computePayout,
  computeSupport,
] as const

/**
 * On-chain verdict on a new order: the owner's contract accepts the signature, the owner's balance and allowance
 * suffice, and the token can be transferred. Tokens and approvals from pre-hooks count, as does a flash loan of exactly
 * this token to the owner; with a wrapper, missing funds are ignored.
 * @param now Unix seconds
 * @returns the ApiError to reject it with: `InvalidEip1271Signature`, `InsufficientBalance`, `InsufficientAllowance`,
 *   `TransferSimulationFailed`, `UnsupportedToken`; `OrderFullyExecuted`, `AlreadyCancelled` when the chain has filled
 *   or invalidated it; undefined if it passes
 */
export const findChainFailure = (
  { network, unsupportedTokens, solverFeatures }: ChainRules,
  creation: SignedOrder,
  appData: ParsedAppData,
  chain: ChainFacts,
  now: number,
): ApiError | undefined => {
  const { owner, fullBalanceCheck } = creation
  const findings = computeFindings(checks, {
    order: toNewOrder(creation, owner, appData),
    admission: { fullBalanceCheck },
    now,
    rules: { unsupportedTokens, solverFeatures },
    contracts: network,
    appData,
    // an order that is not placed is in no auction
    inFlight: false,
    chain,
    tokenFault: undefined,
    executable: undefined,
  })
  const failure = findReason(findings)
  return failure && toError(failure, creation)
}

/** The same for an order of which the chain is not read. */
export const findSupportFailure = (
  { solverFeatures }: Pick<ChainRules, 'solverFeatures'>,
  creation: OrderCreation & { owner: Address },
  appData: ParsedAppData,
): ApiError | undefined => {
  const { owner, fullBalanceCheck } = creation
  const facts = { order: toNewOrder(creation, owner, appData), admission: { fullBalanceCheck }, appData }
  const finding = computeSupport({ ...facts, rules: { solverFeatures }, chain: 'notRead' })
  return finding.status === 'fail' ? toUnsupported(finding.evidence) : undefined
}

/** A signed fee has an error of its own; everything else stands in the document. */
const toUnsupported = ({ required }: JsonObject): ApiError => {
  const features = Array.isArray(required) ? required : []
  const isFee = features.includes('signedFees')
  return new ApiError(isFee ? 'NonZeroFee' : 'InvalidAppData', {
    description: isFee
      ? 'no configured solver settles an order with a signed fee: sign feeAmount 0'
      : `no configured solver supports what the app data requires: ${features.join(', ')}`,
    data: { required: features },
  })
}

const toError = ({ reason, evidence }: Failure, { owner, digest, uid, sellToken }: SignedOrder): ApiError => {
  const errorType = toPublicReason(reason)
  const { available = null, needed = null } = evidence
  if (reason === 'UnsupportedBySolvers') return toUnsupported(evidence)
  if (reason === 'PayoutFails') {
    const { token = null, receiver = null, revert = null } = evidence
    return new ApiError('TransferSimulationFailed', {
      description: `the simulated payout of the buy token to the receiver failed${revert === null ? '' : `: ${revert}`}`,
      data: { buyToken: token, receiver, revert },
    })
  }
  switch (errorType) {
    case 'InvalidEip1271Signature':
      return new ApiError(errorType, { data: { owner, digest } })
    case 'InvalidSignature':
      return new ApiError(errorType, {
        description: 'there is no contract at the address of the owner, so nothing checks its eip1271 signature',
        data: { owner, digest },
      })
    case 'InsufficientBalance':
    case 'InsufficientAllowance':
      return new ApiError(errorType, { data: { available, required: needed, token: sellToken } })
    case 'TransferSimulationFailed':
      return new ApiError(errorType, { data: toTransferData(evidence, sellToken) })
    case 'OrderFullyExecuted':
    case 'AlreadyCancelled':
      return new ApiError(errorType, { data: { uid } })
    case 'FeeOnTransfer': {
      const { amount = null, received = null } = evidence
      const data = { field: 'sellToken', token: sellToken, reason: 'losesInTransfer', sent: amount, received }
      return new ApiError('UnsupportedToken', { description: describeTokenFault('losesInTransfer'), data })
    }
    default:
      return new ApiError('UnsupportedToken', { data: evidence })
  }
}

const toTransferData = ({ amount, revert }: JsonObject, sellToken: Address): JsonObject => ({
  sellToken,
  ...(amount === undefined ? {} : { amount, revert: revert ?? null }),
})
