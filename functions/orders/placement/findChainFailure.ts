import type { Address, Hex } from 'viem'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { ApiError, type JsonObject } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import { computeVerdict, type Failure, findReason } from '#shared/orders/verdict/computeVerdict.ts'
import { toPublicReason } from '#shared/orders/verdict/finding.ts'
import { toNewOrder } from '#shared/orders/verdict/toNewOrder.ts'
import type { ChainFacts, VerdictFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { describeTokenFault } from '#shared/tokens/tokenFault.ts'

export type ChainRules = {
  network: Pick<Network, 'settlementContract' | 'vaultRelayer'>
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  maxGas: bigint
}

type SignedOrder = OrderCreation & { uid: Hex; digest: Hex; owner: Address }

/** The errors that depend on the chain; all others were checked before or do not apply to new orders. */
const checks = new Set(['state', 'tokens', 'signature', 'balance', 'allowance', 'transferability'])

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
  { network, maxGas, ...rules }: ChainRules,
  creation: SignedOrder,
  appData: ParsedAppData,
  chain: ChainFacts,
  now: number,
): ApiError | undefined => {
  const { owner, fullBalanceCheck } = creation
  const facts: VerdictFacts = {
    order: toNewOrder(creation, owner, appData),
    admission: { fullBalanceCheck },
    now,
    minValiditySeconds: 0,
    rules: { ...rules, maxGas, outOfMarketBps: 0 },
    contracts: network,
    meaning: appData,
    inFlight: false,
    failures: null,
    chain,
    prices: { sellPrice: undefined, buyPrice: undefined },
  }
  const failure = findReason(computeVerdict(facts).filter(({ check }) => checks.has(check)))
  return failure && toError(failure, creation)
}

const toError = ({ reason, evidence }: Failure, { owner, digest, uid, sellToken }: SignedOrder): ApiError => {
  const errorType = toPublicReason(reason)
  const { available = null, needed = null } = evidence
  switch (errorType) {
    case 'InvalidEip1271Signature':
      return new ApiError(errorType, { data: { owner, digest } })
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
