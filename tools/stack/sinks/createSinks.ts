import { Hono } from 'hono'
import { z } from 'zod'
import { createFaults, faultSchema } from './createFaults.ts'
import { createMailbox, sinkChannels } from './createMailbox.ts'
import { receiveChats, type SendUpdate } from './receiveChats.ts'
import { receiveEmails } from './receiveEmails.ts'
import { receivePushes } from './receivePushes.ts'
import { receiveWebhooks } from './receiveWebhooks.ts'
import { renderMailbox } from './renderMailbox.ts'
import { parseJson } from './sink.ts'

export type SinksOptions = {
  /** base URL of this receiver: endpoints of browsers begin with it */
  url: string
  sendUpdate: SendUpdate
}

const pageHeaders = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" }

const filterSchema = z.object({
  channel: z.enum(sinkChannels).optional(),
  to: z.string().optional(),
  account: z.string().optional(),
  since: z.coerce.number().int().optional(),
})

/**
 * Stands for every notification target: webhooks, a mail provider, Telegram's Bot API, and a push service with its
 * browsers. Shows received messages as a page (`/`) and as JSON (`/messages`), and fails as configured (`/faults`).
 */
export const createSinks = ({ url, sendUpdate }: SinksOptions): Hono => {
  const sink = { mailbox: createMailbox(), faults: createFaults() }
  const app = new Hono()
  app.get('/', (c) => c.html(renderMailbox(sink.mailbox.list()), 200, pageHeaders))
  app.get('/messages', (c) => {
    const filter = filterSchema.safeParse(c.req.query())
    if (!filter.success) return c.json({ message: z.prettifyError(filter.error) }, 400)
    return c.json(sink.mailbox.list(filter.data))
  })
  app.get('/faults', (c) => c.json(sink.faults.list()))
  app.put('/faults', async (c) => {
    const fault = faultSchema.safeParse(parseJson(await c.req.text()))
    if (!fault.success) return c.json({ message: z.prettifyError(fault.error) }, 400)
    sink.faults.set(fault.data)
    return c.json(fault.data)
  })
  app.route('/', receiveWebhooks(sink))
  app.route('/', receiveEmails(sink))
  app.route('/', receiveChats(sink, sendUpdate))
  app.route('/', receivePushes(sink, url))
  return app
}
