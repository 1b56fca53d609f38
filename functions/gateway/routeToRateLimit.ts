import { findSharedGroup } from './findSharedGroup.ts'
import type { RateLimitName } from './rateLimits.ts'
import { routeToWorker } from './routeToWorker.ts'

/**
 * Under which limit a request counts: solvers and simulations under `quotes`, what is sent to be kept under `submissions`,
 * all else under `reads`. What is not plainly a read of the order book is a submission there, so that no spelling of a path
 * gets around the lower limit.
 */
export const routeToRateLimit = (method: string, pathname: string): RateLimitName => {
  if (/simulat/i.test(pathname)) return 'quotes'
  const isRead = method === 'GET' || method === 'HEAD'
  // all users of the bot come from the same few addresses
  if (pathname === '/telegram/webhook') return 'reads'
  const sharedGroup = findSharedGroup(pathname)
  // for a hundred prices solvers and providers may have to be asked for each
  if (sharedGroup === 'tokens') return isRead || /\/tokens\/details\/?$/.test(pathname) ? 'reads' : 'quotes'
  if (sharedGroup) return isRead || sharedGroup === 'markets' ? 'reads' : 'submissions'
  const route = routeToWorker(pathname)
  if (!route) return 'reads'
  if (route.group === 'quotes') return route.path === '/api/v1/tokens' ? 'reads' : 'quotes'
  // all that this Worker takes a body for is a dry run
  if (route.group === 'debug') return isRead ? 'reads' : 'quotes'
  return isRead || route.path === '/api/v1/orders/by_uids' ? 'reads' : 'submissions'
}
