import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { noContract } from '#shared/networks/noContract.ts'
import type { Network } from '#shared/networks.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { orderResponseSchema } from '#shared/orders/orderResponse.ts'
import type { Order } from '#shared/signing/order.ts'
import { maxStaticInputBytes } from '#shared/strategies/conditionalOrder.ts'
import { findConditionalType, findPartCount } from '#shared/strategies/describeConditional.ts'
import { readUntil } from '#shared/strategies/evaluation.ts'
import { hashParams } from '#shared/strategies/hashParams.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import type { PartRules } from '#shared/strategies/readSignedPart.ts'
import { encodeTwap } from '#shared/strategies/twap.ts'
import { addressSchema, bytesSchema, hashInputSchema, hashSchema } from '#shared/validation/chainValues.ts'
import { conditionalOrderSchema, evaluationSchema } from './conditionalResponse.ts'
import { type DryRun, dryRunConditional } from './dryRunConditional.ts'

const maxInputBytes = 1_024
/** Time limit of the node calls. */
const timeoutMs = 4_000

const bodySchema = z.object({
  owner: addressSchema,
  handler: addressSchema,
  salt: hashInputSchema,
  staticInput: bytesSchema(maxStaticInputBytes),
  offchainInput: bytesSchema(maxInputBytes)
    .default('0x')
    .openapi({
      description:
        'what the handler takes with each evaluation: good after time a buy amount, atoms as uint256, where the order book ' +
        'takes 98 % of the worth of the sell amount; all others nothing',
      example: '0x',
    }),
})

const { sellToken, buyToken } = exampleValues.pair
const example = {
  owner: exampleValues.account,
  handler: publicContracts.twap,
  salt: exampleValues.appDataHash,
  // four parts of 0.01 ether, each for 1 USDC or more, one each ten minutes from the block that creates it
  staticInput: encodeTwap({
    ...{ sellToken, buyToken, receiver: exampleValues.account as Hex },
    ...{ partSellAmount: 10n ** 16n, minPartLimit: 10n ** 6n, t0: 0n, n: 4n, t: 600n, span: 0n },
    appData: exampleValues.appDataHash as Hex,
  }),
}

const responseSchema = z
  .object({
    hash: hashSchema.openapi({ description: 'the hash that it would have' }),
    type: conditionalOrderSchema.shape.type,
    parts: z.number().int().nullable().openapi({ description: 'number of parts of a TWAP, else null', example: 4 }),
    outcome: evaluationSchema
      .pick({ blockNumber: true, reason: true, message: true })
      .extend({
        next: conditionalOrderSchema.shape.next.openapi({
          description: 'it would not be evaluated before this block and time; null unless `notYet`',
        }),
        part: orderResponseSchema
          .pick({
            ...{ sellToken: true, buyToken: true, receiver: true, sellAmount: true, buyAmount: true, validTo: true },
            ...{ appData: true, feeAmount: true, kind: true, partiallyFillable: true },
            ...{ sellTokenBalance: true, buyTokenBalance: true },
          })
          .nullable()
          .openapi({ description: 'the order that would be placed, `appData` as its hash; null unless `partPlaced`' }),
      })
      .openapi('ConditionalOutcome'),
  })
  .openapi('ConditionalDryRun')

const postConditionalDryRunRoute = createRoute({
  ...endpoint('postConditionalDryRun'),
  tags: ['Conditional orders'],
  summary: 'Dry run of a conditional order',
  description:
    'What a conditional order would do in the newest block if its owner authorised it: the part that would be placed, or why ' +
    'it has no part, with the reasons of its evaluations. Stores nothing. A TWAP that starts when it is mined starts with that ' +
    'block. Authorisation, the wallet and its funds are not checked: `POST orders/simulate` takes the part.',
  request: { body: { required: true, content: { 'application/json': { schema: bodySchema, example } } } },
  responses: {
    200: { description: 'the outcome', content: { 'application/json': { schema: responseSchema } } },
    ...errorResponses(
      'InvalidParameter',
      'NotFound',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'RateLimited',
      'InternalServerError',
      'ServiceUnavailable',
    ),
  },
})

/** `POST /{network}/api/v1/conditional_orders/dry_run` */
export const postConditionalDryRun = (
  deps: PartRules & { chain: ChainClient; network: Pick<Network, 'composableCow'> },
) =>
  createApp().openapi(postConditionalDryRunRoute, async (c) => {
    const { owner, offchainInput, ...params } = c.req.valid('json')
    if (deps.network.composableCow === noContract) {
      throw new ApiError('NotFound', { description: 'this network has no registry of conditional orders' })
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const dryRun = await dryRunConditional(deps, owner, params, offchainInput, signal).catch(() => {
      throw new ApiError('ServiceUnavailable', { description: 'the handler could not be called' })
    })
    const body = {
      hash: hashParams(params),
      type: findConditionalType(params.handler),
      parts: findPartCount(params.handler, params.staticInput),
      outcome: toOutcome(dryRun),
    }
    return c.json(body, 200, { 'Cache-Control': cachePolicies.noStore })
  })

const toOutcome = ({ block, outcome }: DryRun) => {
  const isPart = outcome.reason === 'partPlaced'
  return {
    blockNumber: block.number,
    reason: outcome.reason,
    message: isPart ? null : (outcome.message ?? null),
    next: outcome.reason === 'notYet' ? toNext(outcome, block) : null,
    part: isPart ? toPart(outcome.order) : null,
  }
}

const toNext = (outcome: Parameters<typeof readUntil>[0], { number }: DryRun['block']) => {
  const { block, time } = readUntil(outcome)
  return { blockNumber: Math.max(number + 1, block), time: new Date(time * 1_000).toISOString() }
}

const toPart = ({ appDataHash, sellAmount, buyAmount, feeAmount, receiver, ...order }: Order) => ({
  ...order,
  receiver: receiver === noContract ? null : receiver,
  sellAmount: sellAmount.toString(),
  buyAmount: buyAmount.toString(),
  feeAmount: feeAmount.toString(),
  appData: appDataHash,
})
