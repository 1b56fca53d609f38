import { Hono } from 'hono'

/** Minimum cost of a Worker, the reference of all other figures. */
export default new Hono().get('/ping', (c) => c.json({ price: 1234.56 }))
