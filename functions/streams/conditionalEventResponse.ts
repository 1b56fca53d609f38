import { z } from '@hono/zod-openapi'
import type { LoggedConditionalEvent } from '#schema/queries/events/logPage.ts'
import { conditionalEventLabels } from '#schema/tables/enums.ts'
import { conditionalTypes, findConditionalType } from '#shared/strategies/describeConditional.ts'
import { addressSchema, hashSchema } from '#shared/validation/chainValues.ts'

/** Why a conditional order ended. */
const endReasons = ['completed', 'expired', 'cancelled', 'failed'] as const

/** The data of a `conditional_order` event. */
export const conditionalEventSchema = z
  .object({
    id: z.number().int().openapi({ description: 'id of the event, of one sequence with those of orders' }),
    owner: addressSchema,
    hash: hashSchema.openapi({
      description: 'of the conditional order, as in `GET conditional_orders/{owner}/{hash}`',
    }),
    label: z.enum([...conditionalEventLabels, 'undone']).openapi({
      description:
        '`opened`: its owner authorised it, also again after an end · `slowed`: its next parts are postponed, because more than 20 ' +
        'in a row ended without a trade; a trade ends that · `ended`: see `reason` · `undone`: a chain reorganisation reverted the ' +
        'step in `data` (`label`, `blockNumber`)',
    }),
    reason: z
      .enum(endReasons)
      .nullable()
      .openapi({
        description:
          'of `ended`. `completed`: each part was filled · `expired`: its handler has no further part, and not all were filled · ' +
          '`cancelled`: its owner no longer authorises it · `failed`: 300 evaluations in a row failed',
      }),
    timestamp: z.iso.datetime(),
    blockNumber: z.number().int().nullable().openapi({ description: 'whose reorganisation undoes the event' }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: '`transactionHash` of an authorisation, `message` with the words of the handler' }),
    type: z
      .enum(conditionalTypes)
      .nullable()
      .openapi({ description: 'by the address of its handler; null, like `state`: a reorganisation removed it' }),
    state: z.enum(['open', 'ended']).nullable().openapi({ description: 'when the event was read' }),
  })
  .openapi('ConditionalEvent')

export const toConditionalEvent = ({
  event,
  conditional: { owner, hash, found },
}: LoggedConditionalEvent): z.output<typeof conditionalEventSchema> => ({
  ...{ id: event.id, owner, hash, label: event.label },
  reason: event.reason as (typeof endReasons)[number] | null,
  timestamp: event.createdAt.toISOString(),
  blockNumber: event.blockNumber,
  data: event.data as Record<string, unknown> | null,
  type: found && findConditionalType(found.handler),
  state: found?.state ?? null,
})
