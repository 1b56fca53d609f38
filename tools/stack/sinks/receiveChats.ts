import { Hono } from 'hono'
import { z } from 'zod'
import { parseJson, refuse, type Sink } from './sink.ts'
import { sinkSettings } from './sinkSettings.ts'

/** Sends an update to the bot's webhook, as Telegram does; the response is the bot's reply. */
export type SendUpdate = (update: object, secret: string) => Promise<Response>

const firstChat = 1_000

const messageSchema = z.object({ chat_id: z.coerce.string(), text: z.string() })
const startSchema = z.object({ code: z.string(), chatId: z.number().int().optional() })
const replySchema = z.object({ method: z.literal('sendMessage'), chat_id: z.number(), text: z.string() })

/**
 * The part of Telegram's Bot API that sends messages. `POST /telegram/start` simulates a user who follows a link to the
 * bot.
 */
export const receiveChats = ({ mailbox, faults }: Sink, sendUpdate: SendUpdate): Hono => {
  let newestChat = firstChat
  const app = new Hono()
  const add = (to: string, text: string, body: unknown) =>
    mailbox.add({ channel: 'telegram', to, id: null, type: null, title: '', text, attempt: null, verified: null, body })
  app.post('/telegram/start', async (c) => {
    const start = startSchema.safeParse(parseJson(await c.req.text()))
    if (!start.success) return c.json({ message: z.prettifyError(start.error) }, 400)
    const { code, chatId = ++newestChat } = start.data
    const message = { message_id: 1, date: Math.floor(Date.now() / 1_000), text: `/start ${code}` }
    const update = { update_id: 1, message: { ...message, chat: { id: chatId, type: 'private' } } }
    const answer = await sendUpdate(update, sinkSettings.telegramWebhookSecret)
    const reply = replySchema.safeParse(await answer.json().catch(() => undefined))
    if (reply.success) add(String(reply.data.chat_id), reply.data.text, reply.data)
    return c.json({ chatId, status: answer.status, reply: reply.data?.text ?? null })
  })
  app.post('/:bot{bot.+}/sendMessage', async (c) => {
    const status = await faults.meet('telegram')
    if (status) return refuse(status)
    if (c.req.param('bot') !== `bot${sinkSettings.telegramBotToken}`)
      return c.json({ ok: false, error_code: 401, description: 'Unauthorized' }, 401)
    const message = messageSchema.safeParse(parseJson(await c.req.text()))
    if (!message.success) return c.json({ ok: false, error_code: 400, description: 'Bad Request' }, 400)
    const { chat_id: to, text } = message.data
    const { seq } = add(to, text.replace(/<[^>]*>/g, ''), message.data)
    return c.json({ ok: true, result: { message_id: seq, chat: { id: Number(to) }, text } })
  })
  return app
}
