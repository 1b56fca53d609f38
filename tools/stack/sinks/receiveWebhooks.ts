import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { keep, parseJson, refuse, type Sink } from './sink.ts'

const maxWebhooks = 100

const secretSchema = z.object({ secret: z.string().startsWith('whsec_') })
const webhookSchema = z.object({
  type: z.string(),
  data: z.looseObject({ message: z.string().optional(), challenge: z.string().optional() }),
})

/**
 * Webhooks of any name, which repeat a challenge. With a known secret (`PUT /webhooks/{name}/secret`) other signatures
 * are refused (Standard Webhooks).
 */
export const receiveWebhooks = ({ mailbox, faults }: Sink): Hono => {
  const secrets = new Map<string, string>()
  const app = new Hono()
  app.put('/webhooks/:name/secret', async (c) => {
    const body = secretSchema.safeParse(parseJson(await c.req.text()))
    if (!body.success) return c.json({ message: z.prettifyError(body.error) }, 400)
    keep(secrets, c.req.param('name'), body.data.secret, maxWebhooks)
    return c.body(null, 204)
  })
  app.post('/webhooks/:name', async (c) => {
    const status = await faults.meet('webhook')
    if (status) return refuse(status)
    const name = c.req.param('name')
    const text = await c.req.text()
    const verified = isSigned(secrets.get(name), text, c.req.header())
    if (verified === false) return c.json({ message: 'invalid signature' }, 401)
    const body = webhookSchema.safeParse(parseJson(text))
    if (!body.success) return c.json({ message: z.prettifyError(body.error) }, 400)
    const { type, data } = body.data
    mailbox.add({
      channel: 'webhook',
      to: name,
      id: c.req.header('webhook-id') ?? null,
      type,
      title: type,
      text: data.message ?? data.challenge ?? '',
      attempt: Number(c.req.header('webhook-attempt') ?? 0) || null,
      verified,
      body: body.data,
    })
    return data.challenge ? c.json({ challenge: data.challenge }) : c.body(null, 204)
  })
  return app
}

/** null: unknown secret */
const isSigned = (secret: string | undefined, text: string, headers: Record<string, string>): boolean | null => {
  if (!secret) return null
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
