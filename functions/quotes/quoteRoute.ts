import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { quoteRequestSchema } from './request/quoteRequest.ts'

/** Route definition shared by both quote routes. */
export const quoteRequest = {
  body: {
    content: {
      'application/json': {
        schema: quoteRequestSchema,
        example: {
          ...exampleValues.pair,
          from: exampleValues.account,
          kind: 'sell',
          sellAmountBeforeFee: '100000000000000000',
        },
      },
    },
    required: true,
  },
}

export const quoteErrors = errorResponses(
  'AppdataFromMismatch',
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
  'InvalidSignature',
  'InvalidValidFrom',
  'NoLiquidity',
  'Paused',
  'PayloadTooLarge',
  'SameBuyAndSellToken',
  'SellAmountDoesNotCoverFee',
  'SellAmountOverflow',
  'ServiceUnavailable',
  'TokenTemporarilySuspended',
  'TooMuchGas',
  'TradingOutsideAllowedWindow',
  'TransferSimulationFailed',
  'UnsupportedBuyTokenDestination',
  'UnsupportedMediaType',
  'UnsupportedSellTokenSource',
  'UnsupportedToken',
)
