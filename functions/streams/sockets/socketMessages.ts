import { z } from '@hono/zod-openapi'
import { errorSchema } from '#shared/http/errorResponses.ts'
import { addressSchema, amountTextSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { conditionalEventSchema } from '../conditionalEventResponse.ts'
import { orderEventSchema } from '../orderEventResponse.ts'
import { balanceLimits } from './createBalanceReader.ts'

const idMessage = '1 to 32 letters, digits, _ . : or -'
/** Name of a subscription. */
export const idSchema = z
  .string({ error: idMessage })
  .regex(/^[\w.:-]{1,32}$/, idMessage)
  .openapi({
    description: 'name of the subscription, chosen by the client',
    example: 'mine',
  })

/** A position in the log. */
const seqSchema = z
  .string()
  .regex(/^\d{1,19}-\d{1,15}$/, 'a `seq` of this service')
  .openapi({ description: 'position in the log, the same as `id:` of an event stream', example: '2043-817' })

const pairMessage = 'two addresses, joined by -'
const pairSchema = z
  .string({ error: pairMessage })
  .regex(/^0x[0-9a-fA-F]{40}-0x[0-9a-fA-F]{40}$/, pairMessage)
  .openapi({ description: 'two tokens in any order', example: `0x${'51'.repeat(20)}-0x${'b1'.repeat(20)}` })

const subscription = {
  type: z.literal('subscribe'),
  id: idSchema,
  resume: seqSchema.optional().openapi({
    description:
      'the last `seq` of this subscription, from which to continue; without it the subscription begins with a snapshot',
  }),
}

/** What can be subscribed to. */
const subscribeSchemas = {
  SubscribeOrder: z
    .strictObject({ ...subscription, channel: z.literal('order'), uid: orderUidInputSchema })
    .openapi({ description: 'An order, which may still be unknown. The snapshot has all its events.' }),
  SubscribeAccount: z.strictObject({ ...subscription, channel: z.literal('account'), account: addressSchema }).openapi({
    description:
      'Orders that an account owns, or that a contract placed for it, and its conditional orders. The snapshot has the latest event of each open one.',
  }),
  SubscribeConditionalOrders: z
    .strictObject({ ...subscription, channel: z.literal('conditional_orders'), owner: addressSchema })
    .openapi({
      description:
        'Conditional orders of an owner (events of the type `conditional_order`) and the orders that are their parts. The snapshot has the latest event of each open one; `GET conditional_orders` has what the parts are parts of. One whose proof was posted has events from its first part on.',
    }),
  SubscribePair: z
    .strictObject({ ...subscription, channel: z.literal('pair'), pair: pairSchema })
    .openapi({ description: 'Orders of a pair. The snapshot has the latest event of each open order.' }),
  SubscribeTrades: z
    .strictObject({ ...subscription, channel: z.literal('trades'), pair: pairSchema.optional() })
    .openapi({ description: '`traded` events of a pair, or of the network. The snapshot has the newest ones.' }),
  SubscribeAuctions: z.strictObject({ ...subscription, channel: z.literal('auctions') }).openapi({
    description:
      'Events that an auction caused: orders that it considered, filtered, awarded or settled, with its `auctionId`. The snapshot has the newest ones.',
  }),
  SubscribePrice: z.strictObject({ ...subscription, channel: z.literal('price'), token: addressSchema }).openapi({
    description:
      'The price of a token in the auctions. There is no snapshot: `price` follows at once, and when it changes. A client that reads slowly gets the newest one only. Here `seq` names an auction.',
  }),
  SubscribeBalances: z
    .strictObject({
      ...subscription,
      channel: z.literal('balances'),
      account: addressSchema,
      tokens: z
        .array(addressSchema)
        .min(1)
        .max(balanceLimits.tokens)
        .optional()
        .openapi({ description: 'without them: those of its open orders, 20 at most; 0xeeee… is the native token' }),
    })
    .openapi({
      description: `Balances of an account, and its allowances for the vault relayer, in each block. All of them follow at once in \`balances\`, and those that changed later. \`resume\` has no effect, because all of them follow again. Here \`seq\` names a block. The subscriptions of a client have ${balanceLimits.perClient} tokens at most, without a list each counts as ${balanceLimits.tokens}. All clients of a feed have ${balanceLimits.perFeed}: in a full one a client within an equal share of them takes the place of the newest subscriptions of those above theirs, which end with an \`error\` and \`unsubscribed\`. The first ${balanceLimits.tokens} tokens of a client stay.`,
    }),
}

const unsubscribeSchema = z.strictObject({ type: z.literal('unsubscribe'), id: idSchema })
const pingSchema = z
  .strictObject({ type: z.literal('ping') })
  .openapi({ description: 'Sent exactly as `{"type":"ping"}` it costs nothing; the response is `pong`.' })
const pongSchema = z
  .strictObject({ type: z.literal('pong'), id: z.string().max(40) })
  .openapi({ description: 'Confirms that everything before the ping of this `id` was read.' })

export const clientMessageSchema = z.discriminatedUnion(
  'type',
  [
    z.discriminatedUnion(
      'channel',
      [
        subscribeSchemas.SubscribeOrder,
        subscribeSchemas.SubscribeAccount,
        subscribeSchemas.SubscribeConditionalOrders,
        subscribeSchemas.SubscribePair,
        subscribeSchemas.SubscribeTrades,
        subscribeSchemas.SubscribeAuctions,
        subscribeSchemas.SubscribePrice,
        subscribeSchemas.SubscribeBalances,
      ],
      {
        error: `one of ${Object.values(subscribeSchemas)
          .map(({ shape }) => shape.channel.value)
          .join(', ')}`,
      },
    ),
    unsubscribeSchema,
    pingSchema,
    pongSchema,
  ],
  { error: 'one of subscribe, unsubscribe, ping, pong' },
)
export type ClientMessage = z.output<typeof clientMessageSchema>
export type Subscribe = Extract<ClientMessage, { type: 'subscribe' }>

const eventPlace = {
  ids: z.array(idSchema).openapi({ description: 'subscriptions that it belongs to' }),
  seq: seqSchema,
}

const serverSchemas = {
  Subscribed: z
    .strictObject({
      type: z.literal('subscribed'),
      id: idSchema,
      seq: seqSchema,
      snapshot: z.array(orderEventSchema).optional().openapi({
        description:
          'replaces the state of this subscription; absent when it was resumed: missed events follow. A subscription may get another one later, when too many events were missed to send them',
      }),
      conditionalOrders: z.array(conditionalEventSchema).optional().openapi({
        description:
          'beside `snapshot`, of the channels `account` and `conditional_orders`: the latest events of open ones',
      }),
      isComplete: z.boolean().optional().openapi({ description: 'false: the snapshot has only the newest part' }),
    })
    .openapi({ description: 'The first message of a subscription.' }),
  Events: z
    .strictObject({
      type: z.literal('events'),
      events: z.array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('order'), ...eventPlace, data: orderEventSchema }),
          z.strictObject({ type: z.literal('conditional_order'), ...eventPlace, data: conditionalEventSchema }),
        ]),
      ),
    })
    .openapi({
      description:
        'New events, in the order of the log, each once per subscription. Those of orders and of conditional orders have one sequence.',
    }),
  Price: z
    .strictObject({
      type: z.literal('price'),
      id: idSchema,
      seq: seqSchema,
      data: z.strictObject({
        token: addressSchema,
        price: amountTextSchema
          .nullable()
          .openapi({ description: 'wei per 10¹⁸ atoms, as in `GET auction`; null: the newest auction has none' }),
        auctionId: z.number().int(),
        block: z.number().int().openapi({ description: 'of the auction' }),
      }),
    })
    .openapi({ description: 'The price of a token in the newest auction.' }),
  Balances: z
    .strictObject({
      type: z.literal('balances'),
      id: idSchema,
      seq: seqSchema,
      data: z.strictObject({
        account: addressSchema,
        block: z.number().int().openapi({ description: 'in which they were read' }),
        isSnapshot: z
          .boolean()
          .openapi({ description: 'true: has all tokens of the subscription; false: changed ones' }),
        balances: z.array(
          z.strictObject({
            token: addressSchema,
            balance: amountTextSchema.nullable().openapi({ description: 'atoms; null: the token returns none' }),
            allowance: amountTextSchema.nullable().openapi({
              description: 'for the vault relayer, atoms; 0 for the native token; null: the token returns none',
            }),
          }),
        ),
      }),
    })
    .openapi({ description: 'Balances and allowances of an account.' }),
  Unsubscribed: z.strictObject({ type: z.literal('unsubscribed'), id: idSchema }),
  ServerPing: z
    .strictObject({
      type: z.literal('ping'),
      id: z.string(),
      seq: seqSchema
        .optional()
        .openapi({ description: 'all subscriptions are complete up to here, and can resume from it' }),
    })
    .openapi({
      description:
        'Sent every 15 seconds to a connection with subscriptions, and after each 256 KiB. Without a `pong` with its `id` within 30 seconds the connection is closed.',
    }),
  ServerPong: z.strictObject({ type: z.literal('pong') }),
  SocketError: z
    .strictObject({
      type: z.literal('error'),
      id: idSchema.optional().openapi({ description: 'of the rejected message' }),
      ...errorSchema.shape,
    })
    .openapi({ description: 'An error of the catalogue.' }),
}

/** Schemas of all messages by name, for documents. */
export const messageSchemas = {
  client: { ...subscribeSchemas, Unsubscribe: unsubscribeSchema, ClientPing: pingSchema, ClientPong: pongSchema },
  server: serverSchemas,
}

type ServerSchemas = typeof serverSchemas
export type ServerMessage = z.input<ServerSchemas[Exclude<keyof ServerSchemas, 'Events'>]>
