import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { JsonObject } from '../jsonObject.ts'

/**
 * Every error of the API. The key is the wire `errorType`; only `onError` reads `status`. Statuses and names follow the
 * interface specification, Errors; where it is silent, those that clients of the public system match on.
 */
export const errorCatalogue = {
  AlreadyCancelled: { status: 400, description: 'the order is already cancelled' },
  AppDataHashMismatch: { status: 400, description: 'appDataHash is not the keccak-256 of appData' },
  AppdataFromMismatch: { status: 400, description: 'from differs from the signer in the app data' },
  Conflict: { status: 409, description: 'already taken' },
  CustomSolverError: { status: 400, description: 'the solvers declined to quote this trade' },
  DuplicatedOrder: { status: 400, description: 'an order with this UID already exists' },
  ExcessiveValidTo: { status: 400, description: 'validTo is too far in the future' },
  Forbidden: { status: 403, description: 'the owner, receiver or a fee recipient is banned from trading here' },
  HeadersTooLarge: { status: 431, description: 'the request headers are too large' },
  InsufficientAllowance: {
    status: 400,
    description: "the vault relayer's allowance is below sellAmount + feeAmount",
  },
  InsufficientBalance: { status: 400, description: "the owner's balance is below sellAmount + feeAmount" },
  InsufficientLiquidity: { status: 400, description: 'the solvers found too little liquidity for this amount' },
  InsufficientValidTo: { status: 400, description: 'validTo is too close to now' },
  InternalServerError: { status: 500, description: 'something failed on our side; the request can be retried' },
  InvalidAppData: { status: 400, description: 'the app data document is invalid' },
  InvalidEip1271Signature: { status: 400, description: 'the owner contract rejects the signature' },
  InvalidLimit: { status: 400, description: 'limit must be from 1 to 1000' },
  InvalidNativeSellToken: { status: 400, description: 'the native token cannot be sold directly; wrap it first' },
  InvalidParameter: { status: 400, description: 'a parameter is missing or malformed' },
  InvalidSignature: { status: 400, description: 'the signature does not belong to the owner of this order' },
  InvalidTradeFilter: { status: 400, description: 'give exactly one of owner and orderUid' },
  InvalidValidFrom: { status: 400, description: 'validTo leaves too little time after validFrom' },
  LIMIT_OUT_OF_BOUNDS: { status: 400, description: 'limit must be from 1 to 1000' },
  MethodNotAllowed: { status: 405, description: 'method not allowed for this path' },
  MissingFrom: { status: 400, description: 'from is required with this signing scheme' },
  NoLiquidity: { status: 400, description: 'no route found for this pair and amount' },
  NonZeroFee: {
    status: 400,
    description:
      'feeAmount must be 0, or the fee of the live quote that quoteId names, signed with its amounts as returned',
  },
  NotFound: { status: 404, description: 'no such route or resource' },
  OldOrderActivelyBidOn: {
    status: 400,
    description: 'solvers are bidding on the order to be replaced; try again in a few auctions',
  },
  OnChainOrder: { status: 400, description: 'the order was authorised on-chain; cancel it on-chain' },
  OrderExpired: { status: 400, description: 'validTo is in the past' },
  OrderFullyExecuted: { status: 400, description: 'the order is already fully executed' },
  OrderNotFound: { status: 404, description: 'no order with this UID' },
  PayloadTooLarge: { status: 413, description: 'the request body is too large' },
  RateLimited: { status: 429, description: 'too many requests' },
  RequestTimeout: { status: 408, description: 'the request body did not arrive in time' },
  SameBuyAndSellToken: { status: 400, description: 'sell token and buy token are the same' },
  BuyAmountOverflow: { status: 400, description: 'buyAmount does not fit into 256 bits' },
  SellAmountDoesNotCoverFee: { status: 400, description: 'the sell amount does not cover the cost of settlement' },
  SellAmountOverflow: { status: 400, description: 'sellAmount does not fit into 256 bits' },
  ServiceUnavailable: { status: 503, description: 'a required dependency is unavailable; retry later' },
  TokenTemporarilySuspended: { status: 400, description: 'trading of this token is temporarily suspended' },
  TooManyLimitOrders: { status: 400, description: 'the owner has reached the limit of open limit orders' },
  TooManyUnsignedOrders: { status: 400, description: 'the owner has too many orders awaiting their pre-signature' },
  TooMuchGas: { status: 400, description: 'settling this order would exceed the gas limit of a settlement' },
  TradingOutsideAllowedWindow: { status: 400, description: 'this token is not traded at this time' },
  TransferSimulationFailed: {
    status: 400,
    description: 'the simulated transfer of the sell token from the owner failed',
  },
  Unauthorized: { status: 401, description: 'this route requires a bearer token' },
  UriTooLong: { status: 414, description: 'the URL is too long' },
  UnsupportedBuyTokenDestination: { status: 400, description: 'buyTokenBalance must be erc20' },
  UnsupportedMediaType: { status: 415, description: 'send the body as Content-Type: application/json' },
  UnsupportedSellTokenSource: { status: 400, description: 'sellTokenBalance must be erc20' },
  UnsupportedToken: { status: 400, description: 'this token is not traded here' },
  WrongOwner: { status: 401, description: 'the signer does not own the order' },
  ZeroAmount: { status: 400, description: 'sellAmount and buyAmount must be greater than zero' },
} as const satisfies Record<string, { status: ContentfulStatusCode; description: string }>

export type ErrorType = keyof typeof errorCatalogue

/** An error of the catalogue. `data` goes to the client, `context` only to the log. */
export class ApiError extends Error {
  readonly errorType: ErrorType
  readonly data: JsonObject | undefined
  readonly context: JsonObject | undefined

  constructor(errorType: ErrorType, facts: { description?: string; data?: JsonObject; context?: JsonObject } = {}) {
    super(facts.description ?? errorCatalogue[errorType].description)
    this.name = 'ApiError'
    this.errorType = errorType
    this.data = facts.data
    this.context = facts.context
  }
}
