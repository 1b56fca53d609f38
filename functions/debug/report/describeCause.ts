import type { Address } from 'viem'
import type { JsonObject } from '#shared/http/errors.ts'
import { describeAmounts, describePrice, describeToken, type FindToken } from '#shared/tokens/tokenWords.ts'
import type { DiagnosisCode, DiagnosisSeverity } from './diagnosis.ts'

/** Why an order is not filled. `cause` completes "because of …". */
export type CauseText = { severity: DiagnosisSeverity; cause: string; suggestion: string | null }

const waitOrPlaceAnew =
  'Wait until the market moves, or cancel the order and place one with a limit nearer to the market.'

/** The order's tokens and their known facts, as the sentences name them. */
export type Words = { sellToken: Address; buyToken: Address; find: FindToken }

const returns = 'the order returns to the auctions automatically.'

/** Sentences for each code, from its data; data that was not recorded is left out. */
const causes: Partial<Record<DiagnosisCode, (data: JsonObject, words: Words) => CauseText>> = {
  insufficient_balance: (data, words) => ({
    severity: 'error',
    cause: `too small a balance of its owner${toShare(data, words)}`,
    suggestion: `Send ${toShortfall(data, words)} to the owner; ${returns}`,
  }),
  insufficient_allowance: (data, words) => ({
    severity: 'error',
    cause: `too small an approval of its owner for the vault relayer${toShare(data, words)}`,
    suggestion: `Approve ${data.spender ?? 'the vault relayer'} for at least ${toAmount(data.needed, data, words) ?? 'the sell amount'}; ${returns}`,
  }),
  transfer_fails: (data, words) => ({
    severity: 'error',
    cause:
      data.received === undefined
        ? `the token ${toToken(data, words)}, whose transfer from the owner fails${toRevert(data)}`
        : `the token ${toToken(data, words)}, which loses amounts in a transfer: ${toReceived(data, words)} arrive`,
    suggestion: 'Cancel the order; no solver can settle it while the token behaves like this.',
  }),
  presignature_pending: () => ({
    severity: 'warning',
    cause: 'the missing on-chain signature of its owner',
    suggestion: 'Sign the order on-chain: send its pre-signature from the owner to the settlement contract.',
  }),
  invalid_signature: (data) =>
    data.signingScheme === 'eip1271'
      ? {
          severity: 'error',
          cause: `its owner ${data.contract}, a contract that no longer accepts its signature`,
          suggestion: 'Have the contract accept the signature again, or place a new order.',
        }
      : {
          severity: 'error',
          cause: 'the missing on-chain signature of its owner',
          suggestion: 'Sign the order on-chain: send its pre-signature from the owner to the settlement contract.',
        },
  hook_reverts: (data) => ({
    severity: 'error',
    cause: `a pre-hook that reverts${data.target ? ` at ${data.target}` : ''}${toRevert(data)}`,
    suggestion: 'Fulfil the on-chain conditions of the hook, or place a new order without it.',
  }),
  too_much_gas: (data) => ({
    severity: 'error',
    cause: `hooks that reserve more gas than a settlement may use${data.gas && data.maxGas ? `: ${data.gas} of at most ${data.maxGas} units` : ''}`,
    suggestion: 'Place a new order whose hooks reserve less gas.',
  }),
  missing_native_price: (data, words) => ({
    severity: 'warning',
    cause: `a missing price of the token ${toToken(data, words)}, for which solvers find no route to the native token`,
    suggestion: 'Wait until the token has liquidity; the order then enters the auctions automatically.',
  }),
  no_route: () => ({
    severity: 'warning',
    cause: 'missing liquidity: no solver finds a route for its size',
    suggestion: 'Wait until the pair has more liquidity, or place a smaller order.',
  }),
  too_small: (data, words) => ({
    severity: 'warning',
    cause: `its size, which does not cover the cost of settling it${data.minSellAmount ? `: it would have to sell at least ${toAmount(data.minSellAmount, data, words)}` : ''}`,
    suggestion: 'Cancel the order and place one that sells more.',
  }),
  unsupported_token: (data, words) => ({
    severity: 'error',
    cause: `the token ${toToken(data, words)}, which this deployment does not trade`,
    suggestion: 'Cancel the order.',
  }),
  banned_user: (data) => ({
    severity: 'error',
    cause: `a ban on ${data.account ?? 'its owner or receiver'}`,
    suggestion: null,
  }),
  dust_order: (data, words) => ({
    severity: 'error',
    cause: `a rest worth less than one atom${data.available ? ` with ${toAmount(data.available, data, words)} available` : ''}`,
    suggestion: 'Fund the owner with more of the sell token, or cancel the rest.',
  }),
  auction_full: () => ({
    severity: 'warning',
    cause: 'a full auction: other orders are nearer to the market or newer',
    suggestion:
      'Wait: the order returns to the auctions in its turn, and earlier when the market moves towards its limit.',
  }),
  out_of_market: (data, words) => ({
    severity: 'warning',
    cause: `its limit of ${toPrice(data.limitPrice, words)}, ${toPercent(data.gapBps)} above ${data.networkFee === undefined ? `the market's ${toPrice(data.marketPrice, words)}` : `the best offer after fees, ${toPrice(data.marketPrice, words)}`}`,
    suggestion: waitOrPlaceAnew,
  }),
  no_solution: (data) => ({
    severity: 'warning',
    cause: `no solver proposing a solution in ${toRange(data)}`,
    suggestion:
      'Compare the limit with a quote: it may leave too little for gas and fees, or the pair may have too little liquidity.',
  }),
  outbid: (data) => ({
    severity: 'warning',
    cause: `other solutions being better in auction ${data.auctionId}, the last one in which a solver proposed to fill it`,
    suggestion: 'Wait, or place an order with a more generous limit.',
  }),
  settlement_failed: (data) => ({
    severity: 'warning',
    cause: `failed settlements (${data.attempts ?? data.failures})${data.auctionId ? `, the last one in auction ${data.auctionId}: ${describeOutcome(data.outcome)}` : ''}`,
    suggestion: 'The order is tried again automatically; a dry run shows whether it can settle.',
  }),
  expires_too_soon: () => ({
    severity: 'error',
    cause: 'too little time before it expires: auctions exclude orders in their last minute',
    suggestion: 'Place a new order that is valid for longer.',
  }),
  placement_error: (data) => ({
    severity: 'error',
    cause: `an error in its placement on-chain: ${placementErrors[String(data.placementError)] ?? 'it is not a valid order'}`,
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

const placementErrors: Record<string, string> = {
  preValidationError: 'it trades a token that this deployment does not trade',
  nonZeroFee: 'it signs a fee, which must be 0',
  other: 'it is not a valid order',
  reorged: 'a reorganisation of the chain undid it',
}

/** Outcome of a settlement attempt, without text of the driver. */
const describeOutcome = (outcome: unknown): string => {
  if (outcome === 'timeout') return 'it was not settled in time'
  if (outcome === 'mismatch') return 'its settlement differed from the promised amounts'
  return 'its solver reported a failure'
}

/** @param reason reason as logged; used only for a reason without its own sentences */
export const describeCause = (code: DiagnosisCode, data: JsonObject, reason: string | null, words: Words): CauseText =>
  causes[code]?.(data, words) ?? {
    severity: 'error',
    cause: `the reason "${(reason ?? code).replaceAll('_', ' ')}"`,
    suggestion: null,
  }

/** What to change in a new order after one with this cause expired; null: nothing would help. */
const remedies: Partial<Record<DiagnosisCode, string | null>> = {
  insufficient_balance: 'Place a new order when the owner has enough of the sell token.',
  insufficient_allowance: 'Approve the vault relayer, then place a new order.',
  presignature_pending: 'Place a new order and presign it in time.',
  invalid_signature: 'Place a new order with a signature that stays valid.',
  hook_reverts: 'Place a new order without the hook that reverts.',
  missing_native_price: null,
  transfer_fails: null,
  too_much_gas: 'Place a new order whose hooks reserve less gas.',
  no_route: 'Place a new order for a pair with liquidity: a quote shows which size has a route.',
  too_small: 'Place a new order that sells more.',
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

const addressPattern = /^0x[0-9a-f]{40}$/

const toAddress = ({ token }: JsonObject, { sellToken }: Words): Address =>
  typeof token === 'string' && addressPattern.test(token) ? (token as Address) : sellToken

const toToken = (data: JsonObject, { find }: Words): string =>
  typeof data.token === 'string' && addressPattern.test(data.token)
    ? describeToken(data.token as Address, find)
    : 'it trades'

const toAmount = (amount: unknown, data: JsonObject, words: Words): string | undefined =>
  typeof amount === 'string' ? describeAmounts([amount], toAddress(data, words), words.find) : undefined

const toShare = (data: JsonObject, words: Words): string => {
  const { available, needed } = data
  if (typeof available !== 'string' || typeof needed !== 'string') return ''
  return `: ${describeAmounts([available, needed], toAddress(data, words), words.find)}`
}

const toShortfall = (data: JsonObject, words: Words): string => {
  const { available, needed } = data
  if (typeof available !== 'string' || typeof needed !== 'string') return 'more of the sell token'
  return `another ${describeAmounts([(BigInt(needed) - BigInt(available)).toString()], toAddress(data, words), words.find)}`
}

const toReceived = (data: JsonObject, words: Words): string =>
  describeAmounts(
    [data.received, data.amount ?? data.sent].filter((amount) => typeof amount === 'string'),
    toAddress(data, words),
    words.find,
  )

const maxRevertLength = 100

/** A contract's revert reason in one line. */
const toRevert = ({ revert }: JsonObject): string => {
  if (typeof revert !== 'string') return ''
  const line = revert.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line === '' ? '' : `: ${line.slice(0, maxRevertLength)}`
}

const toPrice = (price: unknown, { sellToken, buyToken, find }: Words): string =>
  typeof price === 'string' ? describePrice(price, { sellToken, buyToken }, find) : 'an unknown price'

const toPercent = (gapBps: unknown): string => (typeof gapBps === 'number' ? `${gapBps / 100} %` : 'some way')

const toRange = ({ auctions }: JsonObject): string => {
  const { first, last } = (auctions ?? {}) as { first?: number; last?: number }
  if (first === undefined || last === undefined) return 'any auction'
  return first === last ? `auction ${first}` : `the auctions ${first} to ${last}`
}
