import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What a client should do with an error; the interface specification, Errors, has the rules for each status. */
export const errorClasses = {
  fix: 'change the request, or what it depends on in your account, before you send it again',
  wait: 'the request is right; send it again unchanged once the market or the order has changed, minutes later',
  retry: 'repeat the request unchanged with exponential backoff, after Retry-After where it is sent',
  final: 'do not send it again: the result is settled or refused for good',
} as const

export type ErrorClass = keyof typeof errorClasses

type ErrorRow = {
  /**
   * Never changes and is never used again: 1xxx request, 2xxx terms of an order, 3xxx authorisation, 4xxx funds, 5xxx
   * market, 6xxx stored orders and resources, 9xxx service
   */
  code: number
  /** only `onError` reads it */
  status: ContentfulStatusCode
  class: ErrorClass
  /** meaning; the description of a response that says nothing more specific */
  description: string
  /** what the client can do */
  cure: string
}

/**
 * Every error of the API: the only list of types. The key is the wire `errorType`. Statuses and names follow the
 * interface specification, Errors; where it is silent, those that clients of the public system match on. `GET /errors`
 * publishes the rows.
 */
export const errorCatalogue = {
  AlreadyCancelled: {
    code: 6001,
    status: 400,
    class: 'final',
    description: 'the order is already cancelled',
    cure: 'nothing to do: the cancellation is in effect',
  },
  AppDataHashMismatch: {
    code: 2012,
    status: 400,
    class: 'fix',
    description: 'appDataHash is not the keccak-256 of appData',
    cure: 'hash the exact bytes of the document that you send, or leave appDataHash out',
  },
  AppdataFromMismatch: {
    code: 3006,
    status: 400,
    class: 'fix',
    description: 'from differs from the signer in the app data',
    cure: 'let `metadata.signer` of the app data be the owner, or leave it out',
  },
  BuyAmountOverflow: {
    code: 2004,
    status: 400,
    class: 'fix',
    description: 'buyAmount does not fit into 256 bits',
    cure: 'lower buyAmount',
  },
  Conflict: {
    code: 6009,
    status: 409,
    class: 'fix',
    description: 'already taken',
    cure: 'choose another value, or delete an older one',
  },
  CustomSolverError: {
    code: 5006,
    status: 400,
    class: 'wait',
    description: 'the solvers declined to quote this trade',
    cure: 'change the amount or the tokens, or try again in some minutes',
  },
  DuplicatedOrder: {
    code: 6002,
    status: 400,
    class: 'final',
    description: 'an order with this UID already exists',
    cure: 'the order is placed: read it by its UID; for a second order change validTo or the app data',
  },
  ExcessiveValidTo: {
    code: 2006,
    status: 400,
    class: 'fix',
    description: 'validTo is too far in the future',
    cure: 'lower validTo; `data` has the latest one',
  },
  Forbidden: {
    code: 3005,
    status: 403,
    class: 'final',
    description: 'the owner, receiver or a fee recipient is banned from trading here',
    cure: 'do not repeat the request: no order with these addresses is accepted',
  },
  HeadersTooLarge: {
    code: 1009,
    status: 431,
    class: 'fix',
    description: 'the request headers are too large',
    cure: 'send fewer or shorter headers',
  },
  InsufficientAllowance: {
    code: 4002,
    status: 400,
    class: 'fix',
    description: "the vault relayer's allowance is below sellAmount + feeAmount",
    cure: 'approve the vault relayer (`vaultRelayer` of `GET /`) for the sell token, then send the order again',
  },
  InsufficientBalance: {
    code: 4001,
    status: 400,
    class: 'fix',
    description: "the owner's balance is below sellAmount + feeAmount",
    cure: 'fund the owner, or sell less',
  },
  InsufficientLiquidity: {
    code: 5003,
    status: 400,
    class: 'wait',
    description: 'the solvers found too little liquidity for this amount',
    cure: 'sell less, or try again in some minutes',
  },
  InsufficientValidTo: {
    code: 2007,
    status: 400,
    class: 'fix',
    description: 'validTo is too close to now',
    cure: 'raise validTo; `data` has the earliest one',
  },
  InternalServerError: {
    code: 9001,
    status: 500,
    class: 'retry',
    description: 'something failed on our side; the request can be retried',
    cure: 'repeat the request with backoff; report its X-Request-Id if it persists',
  },
  InvalidAppData: {
    code: 2011,
    status: 400,
    class: 'fix',
    description: 'the app data document is invalid',
    cure: 'correct the field that `data` names, or send the document of the hash as fullAppData',
  },
  InvalidEip1271Signature: {
    code: 3002,
    status: 400,
    class: 'fix',
    description: 'the owner contract rejects the signature',
    cure: 'sign the digest in `data` as the contract demands; a contract that checks conditions may accept it later',
  },
  InvalidLimit: {
    code: 1003,
    status: 400,
    class: 'fix',
    description: 'limit must be from 1 to 1000',
    cure: 'send a limit within the bounds',
  },
  InvalidNativeSellToken: {
    code: 2010,
    status: 400,
    class: 'fix',
    description: 'the native token cannot be sold directly; wrap it first',
    cure: 'wrap the token and sell the wrapped one, or use the ethFlow contract of `GET /`',
  },
  InvalidParameter: {
    code: 1001,
    status: 400,
    class: 'fix',
    description: 'a parameter is missing or malformed',
    cure: 'correct the field that `data.field` names',
  },
  InvalidSignature: {
    code: 3001,
    status: 400,
    class: 'fix',
    description: 'the signature does not belong to the owner of this order',
    cure: 'sign exactly what you send, with the domain of the network and the signingScheme that you state',
  },
  InvalidTradeFilter: {
    code: 1002,
    status: 400,
    class: 'fix',
    description: 'give exactly one of owner and orderUid',
    cure: 'send one of the two',
  },
  InvalidValidFrom: {
    code: 2008,
    status: 400,
    class: 'fix',
    description: 'validTo leaves too little time after validFrom',
    cure: 'raise validTo or lower validFrom',
  },
  LIMIT_OUT_OF_BOUNDS: {
    code: 1004,
    status: 400,
    class: 'fix',
    description: 'limit must be from 1 to 1000',
    cure: 'send a limit within the bounds',
  },
  MethodNotAllowed: {
    code: 1006,
    status: 405,
    class: 'fix',
    description: 'method not allowed for this path',
    cure: 'use a method of the header Allow',
  },
  MissingFrom: {
    code: 3004,
    status: 400,
    class: 'fix',
    description: 'from is required with this signing scheme',
    cure: 'send the address of the owner as from',
  },
  NoLiquidity: {
    code: 5001,
    status: 400,
    class: 'wait',
    description: 'no route found for this pair and amount',
    cure: 'try another amount or pair, or try again once a pool has liquidity',
  },
  NonZeroFee: {
    code: 2009,
    status: 400,
    class: 'fix',
    description:
      'feeAmount must be 0, or the fee of the live quote that quoteId names, signed with its amounts as returned',
    cure: 'sign feeAmount 0, as in `signable` of a quote',
  },
  NotFound: {
    code: 1005,
    status: 404,
    class: 'fix',
    description: 'no such route or resource',
    cure: 'check path, network and identifiers: `GET /openapi.json` has all routes, `GET /` the networks',
  },
  OldOrderActivelyBidOn: {
    code: 6006,
    status: 400,
    class: 'wait',
    description: 'solvers are bidding on the order to be replaced; try again in a few auctions',
    cure: 'try again in a few auctions, or wait until the old order is filled',
  },
  OnChainOrder: {
    code: 6004,
    status: 400,
    class: 'fix',
    description: 'the order was authorised on-chain; cancel it on-chain',
    cure: 'call the contract that placed the order',
  },
  OrderExpired: {
    code: 2005,
    status: 400,
    class: 'fix',
    description: 'validTo is in the past',
    cure: 'sign the order with a later validTo, in Unix seconds',
  },
  OrderFullyExecuted: {
    code: 6003,
    status: 400,
    class: 'final',
    description: 'the order is already fully executed',
    cure: 'nothing to do: read its trades',
  },
  OrderNotFound: {
    code: 6005,
    status: 404,
    class: 'fix',
    description: 'no order with this UID',
    cure: 'check UID and network; an order exists as soon as its POST returned 201',
  },
  Paused: {
    code: 9004,
    status: 503,
    class: 'retry',
    description: 'the operator has paused this; cancellations and reads continue',
    cure: 'wait for Retry-After seconds, then repeat the request; `pauses` of `GET /{network}/status.json` has the reason',
  },
  PayloadTooLarge: {
    code: 1008,
    status: 413,
    class: 'fix',
    description: 'the request body is too large',
    cure: 'send less than `data.maxBytes`, or several requests',
  },
  RateLimited: {
    code: 9003,
    status: 429,
    class: 'retry',
    description: 'too many requests',
    cure: 'wait for Retry-After seconds, then repeat the request; `GET /limits` has all limits',
  },
  RequestTimeout: {
    code: 1011,
    status: 408,
    class: 'retry',
    description: 'the request body did not arrive in time',
    cure: 'repeat the request on a faster connection',
  },
  SameBuyAndSellToken: {
    code: 2001,
    status: 400,
    class: 'fix',
    description: 'sell token and buy token are the same',
    cure: 'choose two different tokens',
  },
  SellAmountDoesNotCoverFee: {
    code: 5002,
    status: 400,
    class: 'fix',
    description: 'the sell amount does not cover the cost of settlement',
    cure: 'sell more: `data` has the least amount; or try again when gas is cheaper',
  },
  SellAmountOverflow: {
    code: 2003,
    status: 400,
    class: 'fix',
    description: 'sellAmount does not fit into 256 bits',
    cure: 'lower sellAmount',
  },
  ServiceUnavailable: {
    code: 9002,
    status: 503,
    class: 'retry',
    description: 'a required dependency is unavailable; retry later',
    cure: 'wait for Retry-After seconds, then repeat the request with backoff',
  },
  TokenTemporarilySuspended: {
    code: 5005,
    status: 400,
    class: 'wait',
    description: 'trading of this token is temporarily suspended',
    cure: 'try again later',
  },
  TooManyLimitOrders: {
    code: 6007,
    status: 400,
    class: 'fix',
    description: 'the owner has reached the limit of open limit orders',
    cure: 'cancel an open order, or wait until one is filled or expires',
  },
  TooManyUnsignedOrders: {
    code: 6008,
    status: 400,
    class: 'fix',
    description: 'the owner has too many orders awaiting their pre-signature',
    cure: 'sign waiting orders on-chain, or cancel them',
  },
  TooMuchGas: {
    code: 4004,
    status: 400,
    class: 'fix',
    description: 'settling this order would exceed the gas limit of a settlement',
    cure: 'use less gas in hooks and signature check',
  },
  TradingOutsideAllowedWindow: {
    code: 5007,
    status: 400,
    class: 'wait',
    description: 'this token is not traded at this time',
    cure: 'try again within the trading hours of the token',
  },
  TransferSimulationFailed: {
    code: 4003,
    status: 400,
    class: 'fix',
    description: 'the simulated transfer of the sell token from the owner failed',
    cure: 'check what the token demands of a transfer: a pause, a block list, a fee',
  },
  Unauthorized: {
    code: 3007,
    status: 401,
    class: 'fix',
    description: 'this route requires a bearer token',
    cure: 'send the credentials that the route documents, freshly signed where it is a signature',
  },
  UnsupportedBuyTokenDestination: {
    code: 2014,
    status: 400,
    class: 'fix',
    description: 'buyTokenBalance must be erc20',
    cure: 'sign buyTokenBalance `erc20`',
  },
  UnsupportedMediaType: {
    code: 1007,
    status: 415,
    class: 'fix',
    description: 'send the body as Content-Type: application/json',
    cure: 'set the header and send JSON',
  },
  UnsupportedSellTokenSource: {
    code: 2013,
    status: 400,
    class: 'fix',
    description: 'sellTokenBalance must be erc20',
    cure: 'sign sellTokenBalance `erc20`',
  },
  UnsupportedToken: {
    code: 5004,
    status: 400,
    class: 'final',
    description: 'this token is not traded here',
    cure: 'trade another token: fees on transfer, rebasing or a ban exclude it',
  },
  UriTooLong: {
    code: 1010,
    status: 414,
    class: 'fix',
    description: 'the URL is too long',
    cure: 'shorten the query',
  },
  WrongOwner: {
    code: 3003,
    status: 401,
    class: 'fix',
    description: 'the signer does not own the order',
    cure: 'sign with the account of the order',
  },
  ZeroAmount: {
    code: 2002,
    status: 400,
    class: 'fix',
    description: 'sellAmount and buyAmount must be greater than zero',
    cure: 'send amounts greater than zero',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorType = keyof typeof errorCatalogue

/** Value of the header `Retry-After` of a 503, seconds: most faults are short, a pause is ended by a person. */
export const computeRetryAfter = (errorType: ErrorType): string => (errorType === 'Paused' ? '30' : '1')

/** Value of the header `Link` of every error response: its row of the catalogue (RFC 8288; `help` is in HTML). */
export const linkToError = (errorType: ErrorType): string => `</errors#${errorType}>; rel="help"`
