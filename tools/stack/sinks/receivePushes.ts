import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { z } from 'zod'
import { type Browser, createBrowser, isVapid } from './createBrowser.ts'
import { keep, refuse, type Sink } from './sink.ts'
import { sinkSettings } from './sinkSettings.ts'

const maxBrowsers = 100

const pushSchema = z.looseObject({ title: z.string(), body: z.string(), id: z.string(), type: z.string() })

/**
 * A push service with its browsers: `POST /push/subscriptions` opens one, `DELETE /push/{id}` closes it.
 * @param url base of the endpoints
 */
export const receivePushes = ({ mailbox, faults }: Sink, url: string): Hono => {
  const browsers = new Map<string, Browser>()
  const app = new Hono()
  app.post('/push/subscriptions', (c) => {
    const id = randomUUID()
    const browser = createBrowser(`${url}/push/${id}`)
    keep(browsers, id, browser, maxBrowsers)
    return c.json(browser.subscription, 201)
  })
  app.delete('/push/:id', (c) => c.body(null, browsers.delete(c.req.param('id')) ? 204 : 404))
  app.post('/push/:id', async (c) => {
    const status = await faults.meet('push')
    if (status) return refuse(status)
    const id = c.req.param('id')
    const browser = browsers.get(id)
    if (!browser) return c.text('no such subscription', 410)
    const now = Math.floor(Date.now() / 1_000)
    if (!isVapid(c.req.header('Authorization'), sinkSettings.vapid.publicKey, new URL(url).host, now))
      return c.text('not the key of the subscription', 403)
    if (!c.req.header('TTL')) return c.text('TTL is missing', 400)
    const push = pushSchema.safeParse(readPush(browser, new Uint8Array(await c.req.arrayBuffer())))
    if (!push.success) return c.text('not encrypted for this browser', 400)
    const { title, body: text, type } = push.data
    const received = { to: id, id: push.data.id, type, title, text, body: push.data }
    mailbox.add({ channel: 'push', attempt: null, verified: true, ...received })
    return c.body(null, 201)
  })
  return app
}

const readPush = (browser: Browser, body: Uint8Array): unknown => {
  try {
    return browser.decrypt(body)
  } catch {
    return undefined
  }
}
