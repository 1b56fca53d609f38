import type { DiagnosisCode } from './diagnosis.ts'

/** Suggested change of a new order after one with this cause expired; null: nothing would help. */
const remedies: Partial<Record<DiagnosisCode, string | null>> = {
  insufficient_balance: 'Place a new order when the owner has enough of the sell token.',
  insufficient_allowance: 'Approve the vault relayer, then place a new order.',
  presignature_pending: 'Place a new order and presign it in time.',
  invalid_signature: 'Place a new order with a signature that stays valid.',
  hook_reverts: 'Place a new order without the hook that reverts.',
  missing_native_price: null,
  transfer_fails: null,
  payout_fails: 'Place a new order with a receiver that can take the bought token.',
  settlement_reverts: 'Place a new order; a dry run shows beforehand whether it can settle.',
  unsupported_by_solvers: 'Place a new order without what no solver supports.',
  too_much_gas: 'Place a new order whose hooks reserve less gas.',
  no_route: 'Place a new order for a pair with liquidity: a quote shows which size has a route.',
  too_small: 'Place a new order that sells more.',
  paused: 'Place a new order once the pause is lifted.',
  unsupported_token: null,
  banned_user: null,
  dust_order: 'Place a new order that sells more.',
  auction_full: 'Place a new order with a limit nearer to the market.',
  out_of_market: 'Place a new order with a limit nearer to the market: a quote shows the market price.',
  no_solution: 'Place a new order with a limit that a quote allows.',
  outbid: 'Place a new order with a more generous limit.',
  settlement_failed: 'Place a new order; a dry run shows beforehand whether it can settle.',
  expires_too_soon: 'Place a new order that is valid for longer.',
  no_auction: 'Place a new order that is valid for longer.',
}

/** @param suggestion suggestion while the order can still fill */
export const suggestAfterExpiry = (code: DiagnosisCode, suggestion: string | null): string | null =>
  code in remedies ? (remedies[code] ?? null) : suggestion
