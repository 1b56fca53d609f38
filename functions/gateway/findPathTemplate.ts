/** Every path that is answered here, as the OpenAPI document writes it; where two match, the first one counts. */
const pathTemplates = [
  '/',
  '/healthz',
  '/readyz',
  '/limits',
  '/about',
  '/status.json',
  '/openapi.json',
  '/docs',
  '/docs/{file}',
  '/orders/{uid}',
  '/accounts/{account}',
  '/transactions/{hash}',
  '/auctions/{id}',
  '/status',
  '/assets/{file}',
  '/icon.svg',
  '/local/{network}/rpc',
  '/{network}/status.json',
  '/{network}/api/v1/quote',
  '/{network}/api/v1/quote/stream',
  '/{network}/api/v1/token/{token}/native_price',
  '/{network}/api/v1/token/{token}/metadata',
  '/{network}/api/v1/tokens',
  '/{network}/api/v1/orders',
  '/{network}/api/v1/orders/by_uids',
  '/{network}/api/v1/orders/simulate',
  '/{network}/api/v1/orders/{uid}',
  '/{network}/api/v1/orders/{uid}/status',
  '/{network}/api/v1/orders/{uid}/events',
  '/{network}/api/v1/orders/{uid}/simulate',
  '/{network}/api/v1/account/{owner}/orders',
  '/{network}/api/v1/account/{owner}/orders/events',
  '/{network}/api/v1/trades',
  '/{network}/api/v2/trades',
  '/{network}/api/v1/transactions/{hash}/orders',
  '/{network}/api/v1/users/{address}/total_surplus',
  '/{network}/api/v1/app_data',
  '/{network}/api/v1/app_data/{hash}',
  '/{network}/api/v1/version',
  '/{network}/api/v1/ready',
  '/{network}/api/v1/auction',
  '/{network}/api/v1/debug/order/{uid}',
  '/{network}/api/v1/solver_competition/latest',
  '/{network}/api/v1/solver_competition/by_tx_hash/{tx_hash}',
  '/{network}/api/v1/solver_competition/{auction_id}',
  '/{network}/api/v2/solver_competition/latest',
  '/{network}/api/v2/solver_competition/by_tx_hash/{tx_hash}',
  '/{network}/api/v2/solver_competition/{auction_id}',
  '/{network}/restricted/api/v1/debug/order/{uid}',
  '/{network}/restricted/api/v1/debug/simulation',
  '/{network}/restricted/api/v1/debug/simulation/{uid}',
  '/{network}/restricted/api/v2/solver_competition/latest',
  '/{network}/restricted/api/v2/solver_competition/by_tx_hash/{tx_hash}',
  '/{network}/restricted/api/v2/solver_competition/{auction_id}',
  '/accounts/{account}/notifications',
  '/accounts/{account}/subscriptions',
  '/accounts/{account}/subscriptions/{id}',
  '/accounts/{account}/subscriptions/{id}/replay',
  '/accounts/{account}/subscriptions/{id}/test',
  '/notifications/channels',
  '/subscriptions/confirm/{token}',
  '/subscriptions/unsubscribe/{token}',
  '/telegram/webhook',
  '/affiliate/affiliate-stats/{address}',
  '/affiliate/trader-activity/{address}',
  '/affiliate/trader-stats/{address}',
  '/affiliate/{walletAddress}',
  '/ref-codes/{code}',
  '/{chainId}/accounts/{user}/balances',
  '/{chainId}/address/{address}/balances',
  '/{chainId}/accounts/{user}/balances/sse',
  '/{chainId}/markets/{pair}/slippageTolerance',
  '/{chainId}/markets/{pair}/volatilityDetails',
  '/{chainId}/simulation/simulateBundle',
  '/{chainId}/tokens/details',
  '/{chainId}/tokens/prices',
  '/{chainId}/tokens/{token}/details',
  '/{chainId}/tokens/{token}/topHolders',
  '/{chainId}/tokens/{token}/usdPrice',
  '/{chainId}/yield/pools',
  '/{chainId}/yield/pools-average-apr',
] as const

type Template = { path: string; segments: readonly (string | null)[] }

const split = (path: string): string[] => path.slice(1).split('/')

/** by number of segments; a segment that is a parameter is null */
const templates = Map.groupBy(
  pathTemplates.map(
    (path): Template => ({ path, segments: split(path).map((segment) => (segment.startsWith('{') ? null : segment)) }),
  ),
  ({ segments }) => segments.length,
)

/**
 * The route of a path as one that can be logged: `/{network}/api/v1/orders/{uid}`, without what a client put in.
 * @returns null when nothing answers such a path
 */
export const findPathTemplate = (pathname: string): string | null => {
  const given = split(pathname)
  const found = templates
    .get(given.length)
    ?.find(({ segments }) => segments.every((segment, i) => segment === null || segment === given[i]))
  return found?.path ?? null
}
