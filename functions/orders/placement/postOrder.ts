import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { clientKeyHeader } from '#shared/http/clientKeyHeader.ts'
import { createApp } from '#shared/http/createApp.ts'
import { describeError } from '#shared/http/describeError.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { orderCreationSchema } from '#shared/orders/orderCreation.ts'
import { orderUidSchema } from '#shared/validation/chainValues.ts'
import { type PlacementDeps, placeOrder } from './placeOrder.ts'

export type PostOrderDeps = PlacementDeps & {
  /** pseudonym under which a client's unsigned orders are counted, from its `X-Client-Key` */
  computeSubmitter: (client: string) => Hex
  /** notifies the auction clock of a new order */
  wakeAuctions: () => Promise<unknown>
}

const postOrderRoute = createRoute({
  ...endpoint('postOrder'),
  tags: ['Orders'],
  summary: 'Place a signed order',
  description:
    'Checks the order and its signature, balance and allowance, stores it, and returns its UID. An order whose app data ' +
    'names another order in `metadata.replacedOrder.uid` replaces that order, or is rejected. A signed order takes over a ' +
    '`presign` order with the same UID that has no pre-signature on-chain. An owner may have a limited number of open orders ' +
    '(`TooManyLimitOrders`): orders without a matching quote count as outside the market, unsigned `presign` orders do not ' +
    'count for their owner. A client may have a limited number of unsigned `presign` orders (`TooManyUnsignedOrders`).',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: orderCreationSchema,
          example: {
            ...exampleValues.draft,
            from: exampleValues.account,
            signingScheme: 'eip712',
            signature: exampleValues.signature,
          },
        },
      },
    },
  },
  responses: {
    201: {
      description: 'stored; the UID of the order',
      headers: z.object({
        'X-Quote-Ignored': z
          .enum(['unknown', 'expired', 'mismatch', 'used'])
          .optional()
          .openapi({
            description:
              'why the quote of `quoteId` is ignored for the order; absent when it counts. `used`: the quote has made ' +
              'another open order within the market, so this one counts as outside the market until that one ends',
          }),
      }),
      content: { 'application/json': { schema: orderUidSchema } },
    },
    ...errorResponses(
      'InvalidParameter',
      'SellAmountOverflow',
      'BuyAmountOverflow',
      'InvalidAppData',
      'AppDataHashMismatch',
      'ZeroAmount',
      'NonZeroFee',
      'UnsupportedBuyTokenDestination',
      'UnsupportedSellTokenSource',
      'OrderExpired',
      'InsufficientValidTo',
      'ExcessiveValidTo',
      'SameBuyAndSellToken',
      'InvalidNativeSellToken',
      'UnsupportedToken',
      'TokenTemporarilySuspended',
      'AppdataFromMismatch',
      'MissingFrom',
      'InvalidSignature',
      'InvalidValidFrom',
      'Forbidden',
      'InvalidEip1271Signature',
      'TransferSimulationFailed',
      'InsufficientBalance',
      'InsufficientAllowance',
      'DuplicatedOrder',
      'TooManyLimitOrders',
      'TooManyUnsignedOrders',
      'TooMuchGas',
      'OrderNotFound',
      'OnChainOrder',
      'OrderFullyExecuted',
      'AlreadyCancelled',
      'WrongOwner',
      'OldOrderActivelyBidOn',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'RateLimited',
      'InternalServerError',
      'Paused',
      'ServiceUnavailable',
    ),
  },
})

/** `POST /{network}/api/v1/orders`: places a signed order. Once the order is stored, the request cannot fail. */
export const postOrder = (deps: PostOrderDeps) =>
  createApp().openapi(postOrderRoute, async (c) => {
    const submitter = deps.computeSubmitter(c.req.header(clientKeyHeader) ?? '')
    const creation = c.req.valid('json')
    const { uid, quoteIgnored } = await placeOrder(deps, creation, submitter)
    if (quoteIgnored) c.header('X-Quote-Ignored', quoteIgnored)
    c.executionCtx.waitUntil(wake(deps))
    return c.json(uid, 201)
  })

const wake = async (deps: PostOrderDeps): Promise<void> => {
  try {
    await deps.wakeAuctions()
  } catch (error) {
    logEntry({ message: 'auction clock not woken', cause: describeError(error) })
  }
}
