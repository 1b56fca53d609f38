/** Workers that each network has for itself, and that have public routes. They see a path without its `/{network}`. */
export const networkWorkers = ['quotes', 'orders', 'debug', 'status', 'streams'] as const
export type NetworkWorker = (typeof networkWorkers)[number]

/** Workers that run once for all networks, and that have public routes. They see a path as it is. */
export const sharedWorkers = ['tokens', 'markets', 'accounts', 'affiliate'] as const
export type SharedWorker = (typeof sharedWorkers)[number]

/**
 * Requests that are counted apart: `quotes` are those for which solvers or a simulation work, `submissions` those that
 * store or cancel, `reads` all others.
 */
export const rateLimitNames = ['quotes', 'submissions', 'reads'] as const
export type RateLimitName = (typeof rateLimitNames)[number]

export type Method = 'get' | 'post' | 'put' | 'delete'

/** Responses whose handler sends a `Cache-Control` of `public` may be cached. */
export type Cacheable = {
  /** query parameters that change a response; the gateway removes all others */
  query?: readonly string[]
  /** query parameter with which a response is never cached */
  uncachedWith?: string
  /** what a response is purged by: the UID or the address in its path */
  tag?: 'order' | 'account'
}

export type Route = {
  method: Method
  /** as the OpenAPI document has it */
  path: string
  worker: NetworkWorker | SharedWorker | 'gateway'
  limit: RateLimitName
  cacheable?: Cacheable | undefined
}

const row =
  <const M extends Method>(method: M) =>
  <const Path extends string, const Worker extends Route['worker']>(
    path: Path,
    worker: Worker,
    limit: RateLimitName,
    cacheable?: Cacheable,
  ): { method: M; path: Path; worker: Worker; limit: RateLimitName; cacheable: Cacheable | undefined } => ({
    method,
    path,
    worker,
    limit,
    cacheable,
  })

const get = row('get')
const post = row('post')
const put = row('put')
const del = row('delete')

/**
 * Every public route: the one place for its method, its path, its Worker, the limit that it counts towards and its
 * cache policy. Handlers take method and path from here (`endpoint`); routing, limits, cache keys, the format of
 * errors, and the names in the log follow from it.
 */
export const routes = {
  getIndex: get('/', 'gateway', 'reads'),
  getHealth: get('/healthz', 'gateway', 'reads'),
  getReadiness: get('/readyz', 'gateway', 'reads'),
  getLimits: get('/limits', 'gateway', 'reads', {}),
  getAbout: get('/about', 'gateway', 'reads'),
  getStatus: get('/status.json', 'gateway', 'reads', {}),
  getOpenApi: get('/openapi.json', 'gateway', 'reads', {}),
  getAsyncApi: get('/asyncapi.json', 'gateway', 'reads', {}),
  getErrors: get('/errors', 'gateway', 'reads'),
  postMcp: post('/mcp', 'gateway', 'reads'),
  postStreams: post('/streams', 'gateway', 'reads'),
  getLlmsText: get('/llms.txt', 'gateway', 'reads'),
  getApiCatalog: get('/.well-known/api-catalog', 'gateway', 'reads', {}),
  getDocsPage: get('/docs', 'gateway', 'reads'),
  getDocsFile: get('/docs/{file}', 'gateway', 'reads'),
  getOrderPage: get('/orders/{uid}', 'gateway', 'reads'),
  getAccountPage: get('/accounts/{account}', 'gateway', 'reads'),
  getTransactionPage: get('/transactions/{hash}', 'gateway', 'reads'),
  getAuctionPage: get('/auctions/{id}', 'gateway', 'reads'),
  getSolverPage: get('/solvers/{address}', 'gateway', 'reads'),
  getTokenPage: get('/tokens/{token}', 'gateway', 'reads'),
  getNotificationPage: get('/notifications', 'gateway', 'reads'),
  getExplorerPage: get('/explore', 'gateway', 'reads'),
  getStatusPage: get('/status', 'gateway', 'reads'),
  getConsoleFile: get('/assets/{file}', 'gateway', 'reads'),
  getConsoleIcon: get('/icon.svg', 'gateway', 'reads'),
  getConsoleManifest: get('/manifest.json', 'gateway', 'reads'),
  postLocalRpc: post('/local/{network}/rpc', 'gateway', 'reads'),

  getNetworkStatus: get('/{network}/status.json', 'status', 'reads', {}),
  getStatistics: get('/{network}/api/v1/explorer/statistics', 'status', 'reads', {}),
  getAccountStatistics: get('/{network}/api/v1/explorer/accounts/{account}/statistics', 'status', 'reads', {}),
  getSolvers: get('/{network}/api/v1/explorer/solvers', 'status', 'reads', {}),

  postQuote: post('/{network}/api/v1/quote', 'quotes', 'quotes'),
  postQuoteStream: post('/{network}/api/v1/quote/stream', 'quotes', 'quotes'),
  getNativePrice: get('/{network}/api/v1/token/{token}/native_price', 'quotes', 'quotes', {}),
  getTokenMetadata: get('/{network}/api/v1/token/{token}/metadata', 'quotes', 'quotes', {}),
  getTokens: get('/{network}/api/v1/tokens', 'quotes', 'reads', {}),

  postOrder: post('/{network}/api/v1/orders', 'orders', 'submissions'),
  deleteOrders: del('/{network}/api/v1/orders', 'orders', 'submissions'),
  postOrdersByUids: post('/{network}/api/v1/orders/by_uids', 'orders', 'reads'),
  getOrder: get('/{network}/api/v1/orders/{uid}', 'orders', 'reads', { tag: 'order', uncachedWith: 'wait' }),
  deleteOrder: del('/{network}/api/v1/orders/{uid}', 'orders', 'submissions'),
  getOrderStatus: get('/{network}/api/v1/orders/{uid}/status', 'orders', 'reads', { tag: 'order' }),
  getAccountOrders: get('/{network}/api/v1/account/{owner}/orders', 'orders', 'reads'),
  getTrades: get('/{network}/api/v1/trades', 'orders', 'reads'),
  getTradesPage: get('/{network}/api/v2/trades', 'orders', 'reads'),
  getNetworkOrders: get('/{network}/api/v1/explorer/orders', 'orders', 'reads', {
    query: ['cursor', 'kind', 'limit', 'owner', 'partiallyFilled', 'status', 'token'],
  }),
  getNetworkTrades: get('/{network}/api/v1/explorer/trades', 'orders', 'reads', {
    query: ['cursor', 'limit', 'owner', 'pair', 'token'],
  }),
  getConditionalOrders: get('/{network}/api/v1/conditional_orders', 'orders', 'reads'),
  getConditionalOrder: get('/{network}/api/v1/conditional_orders/{owner}/{hash}', 'orders', 'reads'),
  postConditionalDryRun: post('/{network}/api/v1/conditional_orders/dry_run', 'orders', 'quotes'),
  postConditionalProofs: post('/{network}/api/v1/conditional_orders', 'orders', 'submissions'),
  getTransactionOrders: get('/{network}/api/v1/transactions/{hash}/orders', 'orders', 'reads'),
  getTotalSurplus: get('/{network}/api/v1/users/{address}/total_surplus', 'orders', 'reads'),
  putAppData: put('/{network}/api/v1/app_data', 'orders', 'submissions'),
  getAppData: get('/{network}/api/v1/app_data/{hash}', 'orders', 'reads', {}),
  putAppDataByHash: put('/{network}/api/v1/app_data/{hash}', 'orders', 'submissions'),
  getVersion: get('/{network}/api/v1/version', 'orders', 'reads'),
  getReady: get('/{network}/api/v1/ready', 'orders', 'reads'),

  getOrderEvents: get('/{network}/api/v1/orders/{uid}/events', 'streams', 'reads'),
  getAccountEvents: get('/{network}/api/v1/account/{owner}/orders/events', 'streams', 'reads'),
  getSocket: get('/{network}/api/v1/ws', 'streams', 'reads'),

  getAuctions: get('/{network}/api/v1/explorer/auctions', 'debug', 'reads', { query: ['cursor', 'limit'] }),
  getSolver: get('/{network}/api/v1/explorer/solvers/{address}', 'debug', 'reads', { query: ['cursor', 'limit'] }),
  getAuction: get('/{network}/api/v1/auction', 'debug', 'reads'),
  getReceipt: get('/{network}/api/v1/orders/{uid}/receipt', 'debug', 'reads'),
  getDebugReport: get('/{network}/api/v1/debug/order/{uid}', 'debug', 'reads'),
  getRestrictedDebugReport: get('/{network}/restricted/api/v1/debug/order/{uid}', 'debug', 'reads'),
  postSimulation: post('/{network}/api/v1/orders/simulate', 'debug', 'quotes'),
  getSimulation: get('/{network}/api/v1/orders/{uid}/simulate', 'debug', 'quotes'),
  postSettlementSimulation: post('/{network}/restricted/api/v1/debug/simulation', 'debug', 'quotes'),
  getSettlementSimulation: get('/{network}/restricted/api/v1/debug/simulation/{uid}', 'debug', 'quotes'),
  getFees: get('/{network}/restricted/api/v1/fees', 'debug', 'reads'),
  getPauses: get('/{network}/restricted/api/v1/pauses', 'debug', 'reads'),
  putPause: put('/{network}/restricted/api/v1/pauses/{subject}', 'debug', 'submissions'),
  deletePause: del('/{network}/restricted/api/v1/pauses/{subject}', 'debug', 'submissions'),
  getLatestCompetitionV1: get('/{network}/api/v1/solver_competition/latest', 'debug', 'reads'),
  getCompetitionByHashV1: get('/{network}/api/v1/solver_competition/by_tx_hash/{tx_hash}', 'debug', 'reads', {}),
  getCompetitionV1: get('/{network}/api/v1/solver_competition/{auction_id}', 'debug', 'reads', {}),
  getLatestCompetition: get('/{network}/api/v2/solver_competition/latest', 'debug', 'reads'),
  getCompetitionByHash: get('/{network}/api/v2/solver_competition/by_tx_hash/{tx_hash}', 'debug', 'reads', {}),
  getCompetition: get('/{network}/api/v2/solver_competition/{auction_id}', 'debug', 'reads', {}),
  getRestrictedLatest: get('/{network}/restricted/api/v2/solver_competition/latest', 'debug', 'reads'),
  getRestrictedByHash: get('/{network}/restricted/api/v2/solver_competition/by_tx_hash/{tx_hash}', 'debug', 'reads'),
  getRestrictedCompetition: get('/{network}/restricted/api/v2/solver_competition/{auction_id}', 'debug', 'reads'),

  getUsdPrice: get('/{chainId}/tokens/{token}/usdPrice', 'tokens', 'reads', {}),
  // for a hundred prices each may need requests to solvers and providers
  postUsdPrices: post('/{chainId}/tokens/prices', 'tokens', 'quotes'),
  getTopHolders: get('/{chainId}/tokens/{token}/topHolders', 'tokens', 'reads', {}),
  getTokenDetails: get('/{chainId}/tokens/{token}/details', 'tokens', 'reads', {}),
  postTokenDetails: post('/{chainId}/tokens/details', 'tokens', 'reads'),

  getSlippageTolerance: get('/{chainId}/markets/{pair}/slippageTolerance', 'markets', 'reads', {
    query: ['buyAmount', 'feeAmount', 'sellAmount'],
  }),
  getVolatilityDetails: get('/{chainId}/markets/{pair}/volatilityDetails', 'markets', 'reads', {}),
  getMarkets: get('/{chainId}/markets', 'markets', 'reads', {}),
  getDepth: get('/{chainId}/markets/{pair}/depth', 'markets', 'reads', {}),
  getCandles: get('/{chainId}/markets/{pair}/candles', 'markets', 'reads', { query: ['count', 'interval'] }),
  postSimulateBundle: post('/{chainId}/simulation/simulateBundle', 'markets', 'quotes'),
  postYieldPools: post('/{chainId}/yield/pools', 'markets', 'reads'),
  getAverageAprs: get('/{chainId}/yield/pools-average-apr', 'markets', 'reads', {}),

  getBalances: get('/{chainId}/accounts/{user}/balances', 'accounts', 'reads'),
  getBalanceStream: get('/{chainId}/accounts/{user}/balances/sse', 'accounts', 'reads'),
  getAddressBalances: get('/{chainId}/address/{address}/balances', 'accounts', 'reads'),
  getNotifications: get('/accounts/{account}/notifications', 'accounts', 'reads', {
    query: ['before', 'limit', 'network', 'type'],
    tag: 'account',
  }),
  getChannels: get('/notifications/channels', 'accounts', 'reads'),
  postSubscription: post('/accounts/{account}/subscriptions', 'accounts', 'submissions'),
  getSubscriptions: get('/accounts/{account}/subscriptions', 'accounts', 'reads'),
  deleteSubscription: del('/accounts/{account}/subscriptions/{id}', 'accounts', 'submissions'),
  postSubscriptionTest: post('/accounts/{account}/subscriptions/{id}/test', 'accounts', 'submissions'),
  postSubscriptionReplay: post('/accounts/{account}/subscriptions/{id}/replay', 'accounts', 'submissions'),
  getConfirmation: get('/subscriptions/confirm/{token}', 'accounts', 'reads'),
  postConfirmation: post('/subscriptions/confirm/{token}', 'accounts', 'submissions'),
  getUnsubscription: get('/subscriptions/unsubscribe/{token}', 'accounts', 'reads'),
  postUnsubscription: post('/subscriptions/unsubscribe/{token}', 'accounts', 'submissions'),
  // all users of the bot come from the same few addresses
  postTelegramUpdate: post('/telegram/webhook', 'accounts', 'reads'),

  getAffiliateTypedData: get('/affiliate/typed-data', 'affiliate', 'reads'),
  getAffiliate: get('/affiliate/{walletAddress}', 'affiliate', 'reads'),
  postAffiliate: post('/affiliate/{walletAddress}', 'affiliate', 'submissions'),
  getRefCode: get('/ref-codes/{code}', 'affiliate', 'reads'),
  getTraderStats: get('/affiliate/trader-stats/{address}', 'affiliate', 'reads', {}),
  getAffiliateStats: get('/affiliate/affiliate-stats/{address}', 'affiliate', 'reads', {}),
  getTraderActivity: get('/affiliate/trader-activity/{address}', 'affiliate', 'reads', {}),
}

export type RouteName = keyof typeof routes
