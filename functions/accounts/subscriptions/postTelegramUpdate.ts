import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { isSameSecret } from '#shared/http/isSameSecret.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'

export type PostTelegramUpdateDeps = {
  serviceName: string
  /** what the bot's webhook was set with; undefined: there is no bot */
  secret: string | undefined
  /** the account whose code it is; undefined when the code is used or too old */
  linkChat: (code: string, chat: string) => Promise<Address | undefined>
  selectChatAccounts: (chat: string) => Promise<Address[]>
  unlinkChat: (chat: string) => Promise<void>
}

/** As much of an Update of the Bot API as matters here; what is no message with a text is answered with nothing. */
const updateSchema = z.object({ message: z.unknown().optional() })
const messageSchema = z.object({ text: z.string(), chat: z.object({ id: z.number().int() }) })

/** `/start <code>` and `/stop`, in groups with the name of the bot */
const commandPattern = /^\/(start|stop)(?:@\w+)?(?:\s+(\S{1,64}))?\s*$/

const howTo = 'Subscribe on the site, and open the link that it gives you.'

const replySchema = z.object({ method: z.literal('sendMessage'), chat_id: z.number().int(), text: z.string() })

const postTelegramUpdateRoute = createRoute({
  method: 'post',
  path: '/telegram/webhook',
  tags: ['Subscriptions'],
  summary: 'What the Telegram bot is told',
  description: 'Called by Telegram, with the secret that the webhook was set with. The answer is what the bot says.',
  request: {
    headers: z.object({ 'x-telegram-bot-api-secret-token': z.string().max(256).optional() }),
    body: { content: { 'application/json': { schema: updateSchema } }, required: true },
  },
  responses: {
    200: {
      description: 'a call of the Bot API, or nothing to say',
      content: { 'application/json': { schema: z.union([replySchema, z.object({})]) } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable', 'Unauthorized', 'UnsupportedMediaType']),
  },
})

/** `POST /telegram/webhook` */
export const postTelegramUpdate = (deps: PostTelegramUpdateDeps) =>
  createApp(auxiliaryFormat).openapi(postTelegramUpdateRoute, async (c) => {
    if (!deps.secret) throw new ApiError('ServiceUnavailable', { description: 'there is no Telegram bot here' })
    if (!isSameSecret(c.req.valid('header')['x-telegram-bot-api-secret-token'] ?? '', deps.secret)) {
      throw new ApiError('Unauthorized', { description: 'not the secret of the webhook' })
    }
    const { data: message } = messageSchema.safeParse(c.req.valid('json').message)
    const [, command, code] = commandPattern.exec(message?.text ?? '') ?? []
    if (!message || !command) return c.json({}, 200)
    const chat = String(message.chat.id)
    const text = command === 'stop' ? await stop(deps, chat) : await start(deps, chat, code)
    return c.json({ method: 'sendMessage' as const, chat_id: message.chat.id, text }, 200)
  })

const start = async (deps: PostTelegramUpdateDeps, chat: string, code: string | undefined): Promise<string> => {
  const linked = code && (await deps.linkChat(code, chat))
  if (linked)
    return `Linked. ${deps.serviceName} tells you here what happens to the orders of ${linked}. /stop ends it.`
  const accounts = await deps.selectChatAccounts(chat)
  const state = accounts.length > 0 ? `This chat is told of ${accounts.join(', ')}. /stop ends it.` : howTo
  // Telegram repeats what it got no answer to: then this very message used the code
  return code ? `This code was used already, or is older than a day. ${state}` : state
}

const stop = async ({ unlinkChat, serviceName }: PostTelegramUpdateDeps, chat: string): Promise<string> => {
  await unlinkChat(chat)
  return `${serviceName} will not tell you of any orders here any more.`
}
