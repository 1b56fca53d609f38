import { Hono } from 'hono'

/** The least that a Worker of this kind can do: what every other figure is compared with. */
export default new Hono().get('/ping', (c) => c.json({ price: 1234.56 }))
