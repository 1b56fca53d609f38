import type { JsonObject } from '#shared/http/errors.ts'
import type { DiagnosisCode, DiagnosisSeverity } from './diagnosis.ts'

/** Why an order is not filled. `cause` completes "because of …". */
export type CauseText = { severity: DiagnosisSeverity; cause: string; suggestion: string | null }

const waitOrPlaceAnew =
  'Wait until the market moves, or cancel the order and place one with a limit nearer to the market.'

/** The words for each code, from the numbers behind it; numbers that were not recorded are left out. */
const causes: Partial<Record<DiagnosisCode, (data: JsonObject) => CauseText>> = {
  insufficient_balance: (data) => ({
    severity: 'error',
    cause: `too small a balance of its owner${toShare(data)}`,
    suggestion: `Send ${toShortfall(data)} to the owner; the order returns to the auctions by itself.`,
  }),
  insufficient_allowance: (data) => ({
    severity: 'error',
    cause: `too small an approval of its owner for the vault relayer${toShare(data)}`,
    suggestion: `Approve ${data.spender ?? 'the vault relayer'} for at least ${data.needed ?? 'the sell amount'} atoms of ${data.token ?? 'the sell token'}; the order returns to the auctions by itself.`,
  }),
  presignature_pending: () => ({
    severity: 'warning',
    cause: 'the missing on-chain signature of its owner',
    suggestion: 'Call setPreSignature(orderUid, true) on the settlement contract from the owner.',
  }),
  invalid_signature: (data) =>
    data.signingScheme === 'eip1271'
      ? {
          severity: 'error',
          cause: `its owner ${data.contract}, a contract that does not accept its signature any more`,
          suggestion: 'Have the contract accept the signature again, or place a new order.',
        }
      : {
          severity: 'error',
          cause: 'the missing on-chain signature of its owner',
          suggestion: 'Call setPreSignature(orderUid, true) on the settlement contract from the owner.',
        },
  hook_reverts: (data) => ({
    severity: 'error',
    cause: `a pre-hook that reverts${data.target ? ` at ${data.target}` : ''}${data.revert ? `: ${data.revert}` : ''}`,
    suggestion: 'Make what the hook needs true on-chain, or place a new order without it.',
  }),
  missing_native_price: (data) => ({
    severity: 'warning',
    cause: `a missing price of the token ${data.token ?? 'it trades'}, for which solvers find no route to the native token`,
    suggestion: 'Nothing can be done before the token has liquidity; the order then enters the auctions by itself.',
  }),
  unsupported_token: (data) => ({
    severity: 'error',
    cause: `the token ${data.token ?? 'it trades'}, which is not traded here`,
    suggestion: 'Cancel the order.',
  }),
  banned_user: (data) => ({
    severity: 'error',
    cause: `a ban on ${data.account ?? 'its owner or receiver'}`,
    suggestion: null,
  }),
  dust_order: (data) => ({
    severity: 'error',
    cause: `a rest worth less than one atom${data.available ? ` with ${data.available} sell token atoms available` : ''}`,
    suggestion: 'Fund the owner with more of the sell token, or cancel the rest.',
  }),
  out_of_market: (data) => ({
    severity: 'warning',
    cause: `its limit of ${data.limitPrice} buy token atoms per sell token atom, ${toPercent(data.gapBps)} above the market's ${data.marketPrice}`,
    suggestion: waitOrPlaceAnew,
  }),
  no_solution: (data) => ({
    severity: 'warning',
    cause: `no solver proposing a solution in ${toRange(data)}`,
    suggestion:
      'GET orders/{uid}/simulate shows what it may lack; else the limit leaves too little for gas and fees, or the pair has too little liquidity: compare it with a quote.',
  }),
  outbid: (data) => ({
    severity: 'warning',
    cause: `other solutions being better in auction ${data.auctionId}, the last one in which a solver proposed to fill it`,
    suggestion: 'Wait, or place an order with a limit that leaves more to win.',
  }),
  settlement_failed: (data) => ({
    severity: 'warning',
    cause: `failed settlements (${data.attempts ?? data.failures})${data.auctionId ? `, the last one in auction ${data.auctionId}: ${data.outcome}` : ''}`,
    suggestion: 'The order is tried again automatically; GET orders/{uid}/simulate shows whether it can settle.',
  }),
  expires_too_soon: () => ({
    severity: 'error',
    cause: 'too little time before it expires: auctions take no order in its last minute',
    suggestion: 'Place a new order that is valid for longer.',
  }),
  placement_error: (data) => ({
    severity: 'error',
    cause: `an error in its placement on-chain: ${data.placementError}`,
    suggestion: 'Invalidate it on-chain to get back what it sells, and place a new order.',
  }),
  refunded: (data) => ({
    severity: 'ok',
    cause: `the refund of what it sells in transaction ${data.transaction}`,
    suggestion: null,
  }),
  no_auction: () => ({
    severity: 'error',
    cause: 'no auction being held while it was valid',
    suggestion: 'Place a new order that is valid for longer.',
  }),
}

/** @param reason as it was logged; only for a reason without words of its own */
export const describeCause = (code: DiagnosisCode, data: JsonObject, reason: string | null): CauseText =>
  causes[code]?.(data) ?? { severity: 'error', cause: `the reason "${reason ?? code}"`, suggestion: null }

/** What to change in a new order, now that the one with this cause has expired; null: nothing would help. */
const remedies: Partial<Record<DiagnosisCode, string | null>> = {
  insufficient_balance: 'Place a new order when the owner has enough of the sell token.',
  insufficient_allowance: 'Approve the vault relayer, then place a new order.',
  presignature_pending: 'Place a new order and presign it in time.',
  invalid_signature: 'Place a new order with a signature that stays valid.',
  hook_reverts: 'Place a new order without the hook that reverts.',
  missing_native_price: null,
  unsupported_token: null,
  banned_user: null,
  dust_order: 'Place a new order that sells more.',
  out_of_market: 'Place a new order with a limit nearer to the market: a quote says where it is.',
  no_solution: 'Place a new order with a limit that a quote allows.',
  outbid: 'Place a new order with a limit that leaves more to win.',
  settlement_failed: 'Place a new order; POST orders/simulate shows beforehand whether it can settle.',
  expires_too_soon: 'Place a new order that is valid for longer.',
  no_auction: 'Place a new order that is valid for longer.',
}

/** @param suggestion while the order could still fill */
export const suggestAfterExpiry = (code: DiagnosisCode, suggestion: string | null): string | null =>
  code in remedies ? (remedies[code] ?? null) : suggestion

const toShare = ({ available, needed, token }: JsonObject): string =>
  available === undefined || needed === undefined ? '' : `: ${available} of ${needed} atoms of ${token}`

const toShortfall = ({ available, needed, token }: JsonObject): string =>
  typeof available === 'string' && typeof needed === 'string'
    ? `${BigInt(needed) - BigInt(available)} more atoms of ${token}`
    : 'more of the sell token'

const toPercent = (gapBps: unknown): string => (typeof gapBps === 'number' ? `${gapBps / 100} %` : 'some way')

const toRange = ({ auctions }: JsonObject): string => {
  const { first, last } = (auctions ?? {}) as { first?: number; last?: number }
  if (first === undefined || last === undefined) return 'any auction'
  return first === last ? `auction ${first}` : `the auctions ${first} to ${last}`
}
