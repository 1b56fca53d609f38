import { z } from '@hono/zod-openapi'
import type { ConditionalOrderRecord } from '#schema/queries/strategies/conditionalOrderPages.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { verdictReasons } from '#shared/strategies/conditionalOrder.ts'
import { conditionalTypes, findConditionalType } from '#shared/strategies/describeConditional.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { addressSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'

const hexSchema = z.string().regex(/^0x([0-9a-f]{2})*$/)

export const evaluationSchema = z
  .object({
    blockNumber: z.number().int(),
    reason: z.enum(verdictReasons).openapi({
      description:
        '`partPlaced`: a part is in the book · `notYet`: not before `next` · `tryNextBlock`: its condition does not hold · ' +
        '`notValid`: its handler refuses it now · `finished`: no further part · `removed`: its owner does not authorise it · ' +
        '`partRefused`: the book does not accept its part · `failed`: its handler reverted for an unknown reason · ' +
        '`exhausted`: its handler used all gas of an evaluation',
    }),
    message: z.string().nullable().openapi({ description: 'words of the handler', example: 'before twap start' }),
    orderUid: orderUidSchema.nullable().openapi({ description: 'the part', example: null }),
    slowed: z.boolean().openapi({
      description: 'the next part is postponed, because more than 20 parts in a row ended without a trade',
    }),
  })
  .openapi('ConditionalEvaluation')

export const conditionalOrderSchema = z
  .object({
    owner: addressSchema,
    hash: hashSchema.openapi({ description: 'keccak256 of the encoded parameters; `id` of the official SDK' }),
    type: z.enum(conditionalTypes).openapi({ description: 'kind, by the public address of its handler' }),
    handler: addressSchema.openapi({ example: publicContracts.twap }),
    salt: hashSchema,
    staticInput: hexSchema.openapi({ example: '0x' }),
    proof: z.array(hashSchema).openapi({ description: "place in the owner's merkle tree; empty: authorised alone" }),
    blockNumber: z.number().int().openapi({ description: 'block of its event, or of its posted proof' }),
    transactionHash: hashSchema.nullable().openapi({ description: 'null: its proof was posted' }),
    state: z.enum(['open', 'ended']),
    next: z
      .object({ blockNumber: z.number().int(), time: z.iso.datetime() })
      .nullable()
      .openapi({ description: 'it is not evaluated before this block and time; null when it has ended' }),
    evaluation: evaluationSchema.nullable().openapi({ description: 'the newest one; null before the first' }),
  })
  .openapi('ConditionalOrder')

export const toConditionalResponse = (order: ConditionalOrderRecord): z.infer<typeof conditionalOrderSchema> => {
  const { judgedBlock, verdict } = order
  return {
    owner: order.owner,
    hash: order.hash,
    type: findConditionalType(order.handler),
    handler: order.handler,
    salt: order.salt,
    staticInput: order.staticInput,
    proof: order.proof,
    blockNumber: order.blockNumber,
    transactionHash: order.transactionHash,
    state: order.state,
    next:
      order.state === 'open'
        ? { blockNumber: order.nextBlock, time: new Date(order.nextTime * 1_000).toISOString() }
        : null,
    evaluation:
      judgedBlock === null || verdict === null
        ? null
        : {
            blockNumber: judgedBlock,
            reason: verdict.reason,
            message: verdict.message ?? null,
            orderUid: verdict.uid ?? null,
            slowed: verdict.isSlowed ?? false,
          },
  }
}

/** Example of the routes' parameters. */
export const exampleKey = { owner: exampleValues.account, hash: exampleValues.appDataHash }
