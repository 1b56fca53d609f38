import { z } from '@hono/zod-openapi'
import { addressSchema } from '../validation/chainValues.ts'
import { type MetadataOf, notificationDeclarations } from './notificationDeclarations.ts'
import { type NotificationType, notificationTypes } from './notificationTypes.ts'

export type NotificationResponse = {
  [Type in NotificationType]: {
    id: string
    account: z.output<typeof addressSchema>
    type: Type
    message: string
    timestamp: string
    metadata: MetadataOf<Type>
  }
}[NotificationType]

const toOption = (type: NotificationType) => {
  const { description, metadata } = notificationDeclarations[type]
  return z
    .object({
      id: z.string().openapi({ description: 'increases with time', example: '42' }),
      account: addressSchema,
      type: z.literal(type),
      message: z.string().openapi({ example: 'Your order on Ethereum Mainnet sold 1.5 WETH for 4,512.30 USDC.' }),
      timestamp: z.iso.datetime(),
      metadata: z.object(metadata),
    })
    .openapi(`${toPascalCase(type)}Notification`, { description })
}

/** `order_filled` as `OrderFilled`. */
const toPascalCase = (type: NotificationType): string =>
  type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const [first, ...others] = notificationTypes

/**
 * An event of an account's order; `metadata` depends on `type`. Built by `toNotification`. The type is asserted, because
 * the declarations lose the relation of `type` and `metadata` in a list.
 */
export const notificationSchema = z
  .discriminatedUnion('type', [toOption(first), ...others.map(toOption)])
  .openapi('Notification') as z.ZodType<NotificationResponse>
