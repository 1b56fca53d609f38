import { z } from '@hono/zod-openapi'
import { findNetwork } from '#shared/networks.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'

const maxLimit = 100
const defaultLimit = 50
/** longer than any useful list */
const maxTextLength = 1_000

/** A repeated parameter, or a single one with commas. */
const listOf = <Item>(expected: string, read: (text: string) => Item | undefined) =>
  z
    .union([z.string().max(maxTextLength), z.array(z.string().max(maxTextLength)).max(maxLimit)])
    .transform((texts, context) => {
      const parts = [texts].flat().flatMap((text) => text.split(',').map((part) => part.trim()))
      const items = parts.map(read)
      if (!items.includes(undefined)) return items as Item[]
      context.addIssue({ code: 'custom', message: expected })
      return z.NEVER
    })
    .optional()

/** Filters of the list of notifications. */
export const notificationsQuerySchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, `from 1 to ${maxLimit}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= maxLimit, `from 1 to ${maxLimit}`)
    .default(defaultLimit)
    .openapi({ type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit }),
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'the id of a notification')
    .transform(Number)
    .optional()
    .openapi({ type: 'string', description: 'only older notifications: the id of the last one seen', example: '42' }),
  type: listOf(`one of ${notificationTypes.join(', ')}`, (text) =>
    notificationTypes.find((type) => type === text),
  ).openapi({
    type: 'string',
    description: `only these types, separated by commas: ${notificationTypes.join(', ')}`,
    example: 'order_filled,order_expired',
  }),
  network: listOf('chain ids or names of networks, separated by commas', (text) => findNetwork(text)?.chainId).openapi({
    type: 'string',
    description: 'only these networks: chain ids or names, separated by commas',
    example: 'mainnet,gnosis',
  }),
})
