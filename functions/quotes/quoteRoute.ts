import { errorResponses } from '#shared/http/errorResponses.ts'
import { quoteRequestSchema } from './request/quoteRequest.ts'

/** What both routes that quote have in common. */
export const quoteRequest = {
  body: { content: { 'application/json': { schema: quoteRequestSchema } }, required: true },
}

export const quoteErrors = errorResponses(
  'AppDataHashMismatch',
  'CustomSolverError',
  'ExcessiveValidTo',
  'Forbidden',
  'InsufficientLiquidity',
  'InsufficientValidTo',
  'InternalServerError',
  'InvalidAppData',
  'InvalidNativeSellToken',
  'InvalidParameter',
  'NoLiquidity',
  'PayloadTooLarge',
  'SameBuyAndSellToken',
  'SellAmountDoesNotCoverFee',
  'SellAmountOverflow',
  'ServiceUnavailable',
  'TokenTemporarilySuspended',
  'TradingOutsideAllowedWindow',
  'UnsupportedBuyTokenDestination',
  'UnsupportedMediaType',
  'UnsupportedSellTokenSource',
  'UnsupportedToken',
)
