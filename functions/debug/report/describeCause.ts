import type { JsonObject } from '#shared/jsonObject.ts'
import { describeAmounts, describePrices } from '#shared/tokens/tokenWords.ts'
import type { DiagnosisCode, DiagnosisSeverity } from './diagnosis.ts'
import { toAmount, toShare, toShortfall } from './evidenceAmounts.ts'
import { toCauseToken, toToken, type Words } from './evidenceTokens.ts'
import { toRevert } from './toRevert.ts'

/** Why an order is not filled. `cause` completes "because of …". */
export type CauseText = { severity: DiagnosisSeverity; cause: string; suggestion: string | null }

const waitOrPlaceAnew =
  'Wait until the market moves, or cancel the order and place one with a limit nearer to the market.'

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
    suggestion: `Approve ${data.spender ?? 'the vault relayer'} for at least ${toAmount(data.needed, data, words, 'up') ?? 'the sell amount'}; ${returns}`,
  }),
  transfer_fails: (data, words) => ({
    severity: 'error',
    cause:
      data.received === undefined
        ? `the token ${toToken(data, words)}, whose transfer from the owner fails${toRevert(data)}`
        : `the token ${toToken(data, words)}, which loses amounts in a transfer: ${describeAmounts(
            [data.received, data.amount ?? data.sent].filter((amount) => typeof amount === 'string'),
            toCauseToken(data, words),
            words.find,
          )} arrive`,
    suggestion: 'Cancel the order; no solver can settle it while the token behaves like this.',
  }),
  payout_fails: (data, words) => ({
    severity: 'error',
    cause: `the payout of ${toToken(data, words)} to ${data.receiver ?? 'the receiver'}, which fails${toRevert(data)}`,
    suggestion: 'Place a new order with a receiver that can take the bought token; no limit makes this one settle.',
  }),
  settlement_reverts: (data) => ({
    severity: 'error',
    cause: `its settlement, which reverts in a simulation on the newest block${toRevert(data)}`,
    suggestion: 'Fulfil the condition that the revert names, or place a new order without the part that it concerns.',
  }),
  unsupported_by_solvers: (data) => ({
    severity: 'error',
    cause: `its need for ${describeFeatures(data)}, which no solver of this deployment supports`,
    suggestion: 'Cancel the order and place one without it.',
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
          ...(data.hasContract === false
            ? {
                cause: `its owner ${data.contract}, an address without a contract that could check the signature`,
                suggestion: 'Deploy the contract, or place a new order with another signing scheme.',
              }
            : {
                cause: `its owner ${data.contract}, a contract that no longer accepts its signature`,
                suggestion: 'Have the contract accept the signature again, or place a new order.',
              }),
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
    cause: `its size, which does not cover the cost of settling it${data.minSellAmount ? `: it would have to sell at least ${toAmount(data.minSellAmount, data, words, 'up')}` : ''}`,
    suggestion: 'Cancel the order and place one that sells more.',
  }),
  paused: (data) => ({
    severity: 'warning',
    cause: `a pause of the operator${typeof data.reason === 'string' ? `: ${data.reason}` : ''}`,
    suggestion: 'Wait: the order returns to the auctions when the pause is lifted. It can be cancelled meanwhile.',
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
    cause: describeDistance(data, words),
    suggestion: waitOrPlaceAnew,
  }),
  no_solution: (data) => ({
    severity: 'warning',
    cause: `no solver proposing a solution in ${toRange(data)}${describeRefusals(data)}`,
    suggestion: data.refusedBy
      ? 'Cancel the order and place one without the part that these solvers cannot read, such as a fee in its app data; other solvers may still fill it.'
      : typeof data.gapBps === 'number' && data.gapBps <= 0 && data.networkFee !== undefined
        ? 'Wait: the limit is met, and a simulation of its settlement shows no obstacle.'
        : 'Compare the limit with a quote: it may leave too little for gas and fees, or the pair may have too little liquidity.',
  }),
  outbid: (data) => ({
    severity: 'warning',
    cause: `other solutions being better in auction ${data.auctionId}, the last one in which a solver proposed to fill it`,
    suggestion: 'Wait, or place an order with a more generous limit.',
  }),
  settlement_failed: (data) => ({
    severity: 'warning',
    cause: `failed settlements (${data.attempts ?? data.failures})${data.auctionId ? `, the last one in auction ${data.auctionId}: ${outcomes[String(data.outcome)] ?? 'its solver reported a failure'}` : ''}`,
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

const describeRefusals = ({ refusedBy }: JsonObject): string =>
  Array.isArray(refusedBy) && refusedBy.length > 0
    ? `; the drivers of ${refusedBy.map((each) => (each as JsonObject).solver).join(', ')} refuse to read it`
    : ''

const featureNames: Record<string, string> = {
  wrappers: 'a required wrapper',
  flashloans: 'a flash loan',
  signedFees: 'a signed fee',
}

const describeFeatures = ({ required }: JsonObject): string =>
  Array.isArray(required) ? required.map((name) => featureNames[String(name)] ?? name).join(' and ') : 'a feature'

const placementErrors: Record<string, string> = {
  preValidationError: 'it trades a token that this deployment does not trade',
  nonZeroFee: 'it signs a fee, which must be 0',
  other: 'it is not a valid order',
  reorged: 'a reorganisation of the chain undid it',
}

/** Outcomes of a settlement attempt, without text of the driver. */
const outcomes: Record<string, string> = {
  timeout: 'it was not settled in time',
  mismatch: 'its settlement differed from the promised amounts',
}

/** @param reason reason as logged; used only for a reason without its own sentences */
export const describeCause = (code: DiagnosisCode, data: JsonObject, reason: string | null, words: Words): CauseText =>
  causes[code]?.(data, words) ?? {
    severity: 'error',
    cause: `the reason "${(reason ?? code).replaceAll('_', ' ')}"`,
    suggestion: null,
  }

const describeDistance = (data: JsonObject, words: Words): string => {
  const given = [data.limitPrice, data.marketPrice ?? data.midPrice]
  const known = given.filter((price) => typeof price === 'string')
  const [limit, market] =
    known.length === given.length ? describePrices(known, words, words.find) : given.map(() => 'an unknown price')
  const offer = data.networkFee === undefined ? `the market's ${market}` : `the best offer after fees, ${market}`
  return `its limit of ${limit}, ${toGap(data.gapBps ?? data.midGapBps)} better than ${offer}`
}

const toGap = (bps: unknown): string => (typeof bps === 'number' ? `${bps / 100} %` : 'some way')

const toRange = ({ auctions }: JsonObject): string => {
  const { first, last } = (auctions ?? {}) as { first?: number; last?: number }
  if (first === undefined || last === undefined) return 'any auction'
  return first === last ? `auction ${first}` : `the auctions ${first} to ${last}`
}
