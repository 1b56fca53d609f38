import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What `data` of an error may carry to the client: what failed, in numbers. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/**
 * Every error the order book answers with. The key is the wire `errorType`; only `onError` reads `status`.
 * Statuses and names: interface specification, Errors; where it is silent, what clients of the public system match on.
 */
export const errorCatalogue = {
  AlreadyCancelled: { status: 400, description: 'the order is cancelled already' },
  AppDataHashMismatch: { status: 400, description: 'appDataHash is not the keccak-256 of appData' },
  AppdataFromMismatch: { status: 400, description: 'from is not the signer that the app data names' },
  Conflict: { status: 409, description: 'something else has taken this already' },
  CustomSolverError: { status: 400, description: 'the solvers gave a reason of their own for not trading this' },
  DuplicatedOrder: { status: 400, description: 'an order with this UID exists already' },
  ExcessiveValidTo: { status: 400, description: 'validTo is too far in the future' },
  Forbidden: { status: 403, description: 'the owner, receiver or a fee recipient is banned from trading here' },
  HeadersTooLarge: { status: 431, description: 'the request headers are too large' },
  InsufficientAllowance: {
    status: 400,
    description: 'the vault relayer may move less of the sell token than sellAmount + feeAmount',
  },
  InsufficientBalance: { status: 400, description: 'the owner holds less than sellAmount + feeAmount' },
  InsufficientLiquidity: { status: 400, description: 'the solvers found too little liquidity for this amount' },
  InsufficientValidTo: { status: 400, description: 'validTo is too close to now' },
  InternalServerError: { status: 500, description: 'something failed on our side; the request can be retried' },
  InvalidAppData: { status: 400, description: 'the app data is not a usable document' },
  InvalidEip1271Signature: { status: 400, description: 'the owner contract does not accept the signature' },
  InvalidLimit: { status: 400, description: 'limit must be from 1 to 1000' },
  InvalidNativeSellToken: { status: 400, description: 'the native token cannot be sold directly; wrap it first' },
  InvalidParameter: { status: 400, description: 'a parameter is missing or malformed' },
  InvalidSignature: { status: 400, description: 'the signature does not belong to the owner of this order' },
  InvalidTradeFilter: { status: 400, description: 'give exactly one of owner and orderUid' },
  InvalidValidFrom: { status: 400, description: 'validTo leaves too little time after validFrom' },
  LIMIT_OUT_OF_BOUNDS: { status: 400, description: 'limit must be from 1 to 1000' },
  MethodNotAllowed: { status: 405, description: 'this path does not answer this method' },
  MissingFrom: { status: 400, description: 'from is required with this signing scheme' },
  NoLiquidity: { status: 400, description: 'no route found for this pair and amount' },
  NonZeroFee: { status: 400, description: 'feeAmount must be zero; the network fee is taken from the sell amount' },
  NotFound: { status: 404, description: 'there is nothing under this path' },
  OldOrderActivelyBidOn: {
    status: 400,
    description: 'solvers are bidding on the order to be replaced; try again in a few auctions',
  },
  OnChainOrder: { status: 400, description: 'the order was authorised on-chain and has to be cancelled there' },
  OrderExpired: { status: 400, description: 'validTo is in the past' },
  OrderFullyExecuted: { status: 400, description: 'the order is filled' },
  OrderNotFound: { status: 404, description: 'there is no order with this UID' },
  PayloadTooLarge: { status: 413, description: 'the request body is too large' },
  RateLimited: { status: 429, description: 'too many requests' },
  RequestTimeout: { status: 408, description: 'the request body did not arrive in time' },
  SameBuyAndSellToken: { status: 400, description: 'sell token and buy token are the same' },
  BuyAmountOverflow: { status: 400, description: 'buyAmount does not fit into 256 bits' },
  SellAmountDoesNotCoverFee: { status: 400, description: 'the sell amount does not cover the cost of settling it' },
  SellAmountOverflow: { status: 400, description: 'sellAmount does not fit into 256 bits' },
  ServiceUnavailable: { status: 503, description: 'a part this route needs is not available; retry later' },
  TokenTemporarilySuspended: { status: 400, description: 'trading of this token is suspended for now' },
  TooManyLimitOrders: { status: 400, description: 'the owner has too many open orders' },
  TooManyUnsignedOrders: { status: 400, description: 'too many presign orders wait for their pre-signature' },
  TooMuchGas: { status: 400, description: 'settling this order takes more gas than any settlement has' },
  TradingOutsideAllowedWindow: { status: 400, description: 'this token is not traded at this time' },
  TransferSimulationFailed: { status: 400, description: 'the sell token cannot be moved from the owner' },
  Unauthorized: { status: 401, description: 'this route asks for a bearer token' },
  UriTooLong: { status: 414, description: 'the URL is too long' },
  UnsupportedBuyTokenDestination: { status: 400, description: 'buyTokenBalance must be erc20' },
  UnsupportedMediaType: { status: 415, description: 'send the body as Content-Type: application/json' },
  UnsupportedSellTokenSource: { status: 400, description: 'sellTokenBalance must be erc20' },
  UnsupportedToken: { status: 400, description: 'this token is not traded here' },
  WrongOwner: { status: 401, description: 'the signer does not own the order' },
  ZeroAmount: { status: 400, description: 'sellAmount and buyAmount must be greater than zero' },
} as const satisfies Record<string, { status: ContentfulStatusCode; description: string }>

export type ErrorType = keyof typeof errorCatalogue

/** A failure named in the catalogue. `data` goes to the client, `context` only to the log. */
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
