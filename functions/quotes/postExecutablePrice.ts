import { createApp } from '#shared/http/createApp.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { PriceReplyBody } from '#shared/orders/verdict/priceReply.ts'
import type { Quote } from './amounts/buildQuote.ts'
import { findMarket } from './estimates/findMarket.ts'
import { findBestQuote } from './findBestQuote.ts'
import { findOpenSolvers } from './findOpenSolvers.ts'
import type { QuoteDeps } from './postQuote.ts'
import { computeTimeout } from './request/computeTimeLeft.ts'
import { prepareRequest } from './request/prepareRequest.ts'
import { type QuoteRequest, quoteRequestSchema } from './request/quoteRequest.ts'

/** Responses by request text, each with its expiry in Unix milliseconds. */
type KnownPrices = Map<string, { reply: PriceReplyBody; until: number }>

const lifetimeMs = 10_000
/** Failures are cached for a shorter time. */
const outageLifetimeMs = 2_000
const maxKnownPrices = 500

/**
 * `POST /executable-price`: amounts that the owner of an order would pay and receive if it were settled now, all fees
 * included. Internal to the debug Worker: the gateway does not route it. Computed like `POST quote`, but not stored,
 * because no order can refer to it; the response is cached for seconds.
 */
export const postExecutablePrice = (deps: QuoteDeps) => {
  const known: KnownPrices = new Map()
  // auctions learn the price of a new token when its first order arrives: a shared price would be older
  const earlierPrices = deps.earlierPrices && { ...deps.earlierPrices, sharedMs: 0 }
  const app = createApp()
  app.post('/executable-price', async (c) => {
    const text = await c.req.text()
    const cached = known.get(text)
    if (cached && deps.now() < cached.until) return c.json(cached.reply)
    const request = quoteRequestSchema.parse(JSON.parse(text))
    const find = async () => {
      const prepared = await prepareRequest(deps, request)
      const solvers = await findOpenSolvers(deps, request)
      return deps.admit(c, computeTimeout(deps, request), (startRace) =>
        findBestQuote({ ...deps, earlierPrices, solvers, startRace, judgesLimits: true }, prepared),
      )
    }
    const failed = await find().then(toReply, toFailureReply)
    const isRouteless = 'fault' in failed && failed.fault === 'NoLiquidity'
    const reply = isRouteless ? ((await findMissing(deps, request)) ?? failed) : failed
    if (known.size >= maxKnownPrices) known.clear()
    known.set(text, { reply, until: deps.now() + ('unknown' in reply ? outageLifetimeMs : lifetimeMs) })
    return c.json(reply)
  })
  return app
}

/** Auctions exclude an order whose token has no native price, so this takes precedence over a missing route. */
const findMissing = async (deps: QuoteDeps, request: QuoteRequest): Promise<PriceReplyBody | undefined> => {
  try {
    const market = await findMarket(deps, request, { timeoutMs: computeTimeout(deps, request) })
    if (market instanceof ApiError) throw market
    return undefined
  } catch (error) {
    const reply = toFailureReply(error)
    return 'missing' in reply ? reply : undefined
  }
}

const toReply = ({ ladder, feeAmount, gas, gasPrice, estimate: { verification } }: Quote): PriceReplyBody => {
  const { sellAmount, buyAmount } = ladder.afterPartnerFee
  if (buyAmount === 0n) return { fault: 'SellAmountDoesNotCoverFee' }
  return {
    sellAmount: sellAmount.toString(),
    buyAmount: buyAmount.toString(),
    networkFee: feeAmount.toString(),
    networkCost: (gas * gasPrice).toString(),
    ...(verification.status === 'passed' && verification.hooks ? { hooks: verification.hooks } : {}),
  }
}

const toFailureReply = (error: unknown): PriceReplyBody => {
  if (!(error instanceof ApiError)) throw error
  const { errorType, data } = error
  const field = data?.field
  switch (errorType) {
    case 'UnsupportedToken':
      return { fault: errorType }
    case 'SellAmountDoesNotCoverFee': {
      const { minSellAmount } = data ?? {}
      return { fault: errorType, ...(typeof minSellAmount === 'string' ? { minSellAmount } : {}) }
    }
    case 'TransferSimulationFailed':
      return {
        ...(field === 'buyToken' ? { fault: 'PayoutFails' } : { unknown: 'transferFails' }),
        ...toRevert(data?.revert),
      }
    case 'NoLiquidity':
      if (field === 'sellToken' || field === 'buyToken') return { missing: field }
      if (isRefuted(data)) return { fault: 'SettlementReverts', ...toRevert(findDetail(data)) }
      // a solver that did not respond could have a route
      return data?.retryable === true ? { unknown: 'solversSilent' } : { fault: errorType }
    default:
      return { unknown: errorType }
  }
}

/** Every offer was refuted, and no solver is missing. */
const isRefuted = ({ refuted, solvers }: JsonObject = {}): boolean =>
  typeof refuted === 'object' &&
  Object.values(solvers ?? {}).every((outcome) => outcome === 'Refuted' || outcome === 'QuotingFailed')

const findDetail = ({ refuted }: JsonObject = {}): unknown => {
  const [first] = Object.values((refuted ?? {}) as Record<string, { detail?: string; reason: string }>)
  return first && (first.detail ?? first.reason)
}

const toRevert = (revert: unknown): { revert?: string } => (typeof revert === 'string' ? { revert } : {})
