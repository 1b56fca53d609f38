import type { JsonObject } from '../../jsonObject.ts'

/** Checks of an order. The first one that fails is the reason why it is not traded. */
export const verdictChecks = [
  'state',
  'expiry',
  'time',
  'permission',
  'tokens',
  'settlement',
  'signature',
  'hooks',
  'balance',
  'allowance',
  'transferability',
  'payout',
  'solvers',
  'dust',
  'price',
] as const

export type VerdictCheck = (typeof verdictChecks)[number]

/**
 * Why a check fails: its name on the wire, and the name under which auctions log it and the diagnosis explains it. `invalid`: the
 * order cannot settle now; `filtered`: it could, but is left out of auctions.
 */
export const faults = {
  InFlight: { code: 'in_flight', label: 'filtered' },
  OrderFullyExecuted: { code: 'fulfilled', label: 'invalid' },
  AlreadyCancelled: { code: 'cancelled', label: 'invalid' },
  PlacementError: { code: 'placement_error', label: 'invalid' },
  Refunded: { code: 'refunded', label: 'invalid' },
  OrderExpired: { code: 'expired', label: 'invalid' },
  InsufficientValidTo: { code: 'expires_too_soon', label: 'invalid' },
  ExcessiveValidTo: { code: 'valid_too_long', label: 'invalid' },
  NotYetValid: { code: 'not_yet_valid', label: 'filtered' },
  Forbidden: { code: 'banned_user', label: 'invalid' },
  /** the operator has paused the network or one of the tokens */
  Paused: { code: 'paused', label: 'filtered' },
  UnsupportedToken: { code: 'unsupported_token', label: 'invalid' },
  SettlementFailed: { code: 'settlement_failed', label: 'filtered' },
  PresignaturePending: { code: 'invalid_signature', label: 'invalid' },
  InvalidEip1271Signature: { code: 'invalid_signature', label: 'invalid' },
  /** the address that should check the signature has no code */
  MissingContract: { code: 'invalid_signature', label: 'invalid' },
  TooMuchGas: { code: 'too_much_gas', label: 'invalid' },
  HookReverts: { code: 'hook_reverts', label: 'invalid' },
  InsufficientBalance: { code: 'insufficient_balance', label: 'invalid' },
  InsufficientAllowance: { code: 'insufficient_allowance', label: 'invalid' },
  /** the token states no balance or allowance: as good as none */
  UnreadableBalance: { code: 'insufficient_balance', label: 'invalid' },
  UnreadableAllowance: { code: 'insufficient_allowance', label: 'invalid' },
  TransferSimulationFailed: { code: 'transfer_fails', label: 'invalid' },
  FeeOnTransfer: { code: 'transfer_fails', label: 'invalid' },
  /** the payout of the buy token to the receiver reverts */
  PayoutFails: { code: 'payout_fails', label: 'invalid' },
  /** no configured solver supports what the order needs */
  UnsupportedBySolvers: { code: 'unsupported_by_solvers', label: 'filtered' },
  DustOrder: { code: 'dust_order', label: 'filtered' },
  MissingNativePrice: { code: 'missing_native_price', label: 'filtered' },
  SellAmountDoesNotCoverFee: { code: 'too_small', label: 'filtered' },
  NoLiquidity: { code: 'no_route', label: 'filtered' },
  /** every offer's settlement reverts in its simulation */
  SettlementReverts: { code: 'settlement_reverts', label: 'filtered' },
  OutOfMarket: { code: 'out_of_market', label: 'filtered' },
} as const satisfies Record<string, { code: string; label: 'invalid' | 'filtered' }>

export type OrderFault = keyof typeof faults

/** The name of a fault in responses: mostly the `errorType` with which POST orders refuses it. */
export const toPublicReason = (fault: OrderFault) => {
  switch (fault) {
    case 'UnreadableBalance':
    case 'UnreadableAllowance':
    case 'PayoutFails':
      return 'TransferSimulationFailed'
    case 'MissingContract':
      return 'InvalidSignature'
    default:
      return fault
  }
}

export type FaultCode = (typeof faults)[OrderFault]['code']

/** Result of one check; `evidence` has the numbers behind it, amounts in atoms as decimal strings. */
export type Finding = { check: VerdictCheck; evidence: JsonObject } & (
  | { status: 'pass' }
  /** `reason`: why it cannot be said */
  | { status: 'skipped'; reason: string }
  /** `isListed`: auctions have the order nevertheless, because the settlement or the market may bring what is missing */
  | { status: 'fail'; reason: OrderFault; isListed: boolean }
)

export const pass = (check: VerdictCheck, evidence: JsonObject = {}): Finding => ({ check, status: 'pass', evidence })
export const skip = (check: VerdictCheck, reason: string, evidence: JsonObject = {}): Finding => ({
  check,
  status: 'skipped',
  reason,
  evidence,
})
export const fail = (check: VerdictCheck, reason: OrderFault, evidence: JsonObject, isListed = false): Finding => ({
  check,
  status: 'fail',
  reason,
  evidence,
  isListed,
})
