import type { Address, Hex } from 'viem'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import { computeAllowance, computeBalance, computeTransferability } from '#shared/orders/verdict/computeFunding.ts'
import { computeSignature, computeTokens } from '#shared/orders/verdict/computePermission.ts'
import { computeState } from '#shared/orders/verdict/computeStanding.ts'
import { computeFindings, type Failure, findReason } from '#shared/orders/verdict/computeVerdict.ts'
import { toPublicReason } from '#shared/orders/verdict/finding.ts'
import { toNewOrder } from '#shared/orders/verdict/toNewOrder.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { describeTokenFault } from '#shared/tokens/tokenFault.ts'

export type ChainRules = {
  network: Pick<Network, 'settlementContract' | 'vaultRelayer'>
  unsupportedTokens: ReadonlySet<Address>
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
  { network, unsupportedTokens }: ChainRules,
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
    rules: { unsupportedTokens },
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

const toError = ({ reason, evidence }: Failure, { owner, digest, uid, sellToken }: SignedOrder): ApiError => {
  const errorType = toPublicReason(reason)
  const { available = null, needed = null } = evidence
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
