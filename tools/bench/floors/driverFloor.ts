import { neon, neonConfig } from '@neondatabase/serverless'

neonConfig.fetchEndpoint = (host, port) => `http://${host}:${port}/sql`

/** Minimum cost of a database read: one statement through the driver, its rows as JSON. */
export default {
  async fetch(request: Request, env: { DATABASE_URL: string }): Promise<Response> {
    const sql = neon(env.DATABASE_URL)
    const [, statement, chainId, uid] = new URL(request.url).pathname.split('/')
    if (statement === 'one') return Response.json(await sql`select 1 as one`)
    return Response.json(await sql`select * from orders where chain_id = ${chainId} and uid = decode(${uid}, 'hex')`)
  },
}
