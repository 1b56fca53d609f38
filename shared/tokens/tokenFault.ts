import type { Address } from 'viem'
import type { JsonObject } from '../jsonObject.ts'

/** Proof that a token cannot be settled: amounts in atoms. */
export type TokenFault = {
  token: Address
  /** `losesInTransfer`: a transfer delivers less than it takes; `rebases`: balances are not the stored values */
  reason: 'losesInTransfer' | 'rebases'
  sent: bigint
  received: bigint
}

/** Client-facing form of a proof. */
export const toFaultData = (
  { token, reason, sent, received }: TokenFault,
  { sellToken }: { sellToken: Address },
): JsonObject => ({
  field: token === sellToken ? 'sellToken' : 'buyToken',
  token,
  reason,
  sent: sent.toString(),
  received: received.toString(),
})

/** The sentence about a token that cannot be settled. */
export const describeTokenFault = (reason: TokenFault['reason']): string =>
  reason === 'rebases'
    ? 'unsupported token: it computes balances, so amounts change without a transfer'
    : 'unsupported token: a transfer delivers less than it takes'
