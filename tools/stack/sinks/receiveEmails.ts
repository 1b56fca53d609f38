import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import { keep, parseJson, refuse, type Sink } from './sink.ts'
import { sinkSettings } from './sinkSettings.ts'

const maxKeys = 1_000

const emailSchema = z.looseObject({
  from: z.string(),
  to: z.array(z.string()).min(1),
  subject: z.string(),
  text: z.string(),
})

/** A mail provider with Resend's API, which accepts each `Idempotency-Key` once. */
export const receiveEmails = ({ mailbox, faults }: Sink): Hono => {
  const idByKey = new Map<string, string>()
  const app = new Hono()
  app.post('/emails', async (c) => {
    const status = await faults.meet('email')
    if (status) return refuse(status)
    if (c.req.header('Authorization') !== `Bearer ${sinkSettings.emailApiKey}`)
      return c.json({ statusCode: 401, name: 'missing_api_key', message: 'API key is missing or wrong' }, 401)
    const email = emailSchema.safeParse(parseJson(await c.req.text()))
    if (!email.success)
      return c.json({ statusCode: 422, name: 'validation_error', message: z.prettifyError(email.error) }, 422)
    const key = c.req.header('Idempotency-Key') ?? null
    const known = key && idByKey.get(key)
    if (known) return c.json({ id: known })
    const id = randomUUID()
    if (key) keep(idByKey, key, id, maxKeys)
    const { subject: title, text } = email.data
    const received = { id: key, type: null, title, text, attempt: null, verified: null, body: email.data }
    for (const to of email.data.to) mailbox.add({ channel: 'email', to, ...received })
    return c.json({ id })
  })
  return app
}
