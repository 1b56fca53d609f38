import { createRoute, z } from '@hono/zod-openapi'
import { selectChatAccounts, unlinkChat } from '#schema/queries/notifications/chatLinks.ts'
import { linkChat } from '#schema/queries/notifications/subscriptionLinks.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { isSameSecret } from '#shared/http/isSameSecret.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { FindDatabase } from '../connectBackend.ts'

export type PostTelegramUpdateDeps = {
  serviceName: string
  /** secret token of the bot's webhook; undefined: no bot */
  secret: string | undefined
  findDatabase: FindDatabase
}

/** The used part of an Update of the Bot API; anything but a text message gets an empty response. */
const updateSchema = z.object({ message: z.unknown().optional() })
const messageSchema = z.object({ text: z.string(), chat: z.object({ id: z.number().int() }) })

/** `/start <code>` and `/stop`, in groups with the name of the bot */
const commandPattern = /^\/(start|stop)(?:@\w+)?(?:\s+(\S{1,64}))?\s*$/

/** Form of a code, base64url. Postgres refuses some other texts. */
const codeForm = /^[\w-]+$/

const howTo = 'Subscribe on the website, and open the link shown there.'

const replySchema = z.object({ method: z.literal('sendMessage'), chat_id: z.number().int(), text: z.string() })

const postTelegramUpdateRoute = createRoute({
  ...endpoint('postTelegramUpdate'),
  tags: ['Subscriptions'],
  summary: 'Telegram webhook',
  description: "Called by Telegram, authenticated by its secret token. The response body is the bot's reply.",
  request: {
    headers: z.object({ 'x-telegram-bot-api-secret-token': z.string().max(256).optional() }),
    body: {
      content: {
        'application/json': {
          schema: updateSchema,
          example: { update_id: 1, message: { chat: { id: 1 }, text: '/start 0123456789' } },
        },
      },
      required: true,
    },
  },
  responses: {
    200: {
      description: 'a call of the Bot API, or an empty object without a reply',
      content: { 'application/json': { schema: z.union([replySchema, z.object({})]) } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable', 'Unauthorized', 'UnsupportedMediaType']),
  },
})

/** `POST /telegram/webhook` */
export const postTelegramUpdate = (deps: PostTelegramUpdateDeps) =>
  createApp(auxiliaryFormat).openapi(postTelegramUpdateRoute, async (c) => {
    if (!deps.secret) throw new ApiError('ServiceUnavailable', { description: 'this deployment has no Telegram bot' })
    if (!isSameSecret(c.req.valid('header')['x-telegram-bot-api-secret-token'] ?? '', deps.secret)) {
      throw new ApiError('Unauthorized', { description: 'wrong secret token' })
    }
    const { data: message } = messageSchema.safeParse(c.req.valid('json').message)
    const [, command, code] = commandPattern.exec(message?.text ?? '') ?? []
    if (!message || !command) return c.json({}, 200)
    const chat = String(message.chat.id)
    const text = command === 'stop' ? await stop(deps, chat) : await start(deps, chat, code)
    return c.json({ method: 'sendMessage' as const, chat_id: message.chat.id, text }, 200)
  })

const start = async (deps: PostTelegramUpdateDeps, chat: string, code: string | undefined): Promise<string> => {
  const linked = code && codeForm.test(code) && (await linkChat(deps.findDatabase(), code, chat))
  if (linked)
    return `Linked. ${deps.serviceName} will post notifications about the orders of ${linked} here. Send /stop to end them.`
  const accounts = await selectChatAccounts(deps.findDatabase(), chat)
  const state =
    accounts.length > 0
      ? `This chat receives notifications about ${accounts.join(', ')}. Send /stop to end them.`
      : howTo
  // Telegram repeats updates without a response, so this message itself may have used the code
  return code ? `This code was already used, or is older than a day. ${state}` : state
}

const stop = async ({ findDatabase, serviceName }: PostTelegramUpdateDeps, chat: string): Promise<string> => {
  await unlinkChat(findDatabase(), chat)
  return `${serviceName} will not post notifications here any more.`
}
