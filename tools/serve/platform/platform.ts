import { WorkerEntrypoint } from 'cloudflare:workers'
import { findContentType } from './findContentType.ts'
import type { PlatformEnv } from './platformEnv.ts'

export { Queue } from './Queue.ts'

/** What the platform has and workerd lacks: each entrypoint below is a binding of the Workers. */

/** `props` of a binding's entrypoint. */
type Context<Props> = { props: Props }

/** Producer of a queue. */
export class Producer extends WorkerEntrypoint<PlatformEnv> {
  async sendBatch(messages: readonly { body: unknown }[]): Promise<void> {
    const { queue } = (this.ctx as unknown as Context<{ queue: string }>).props
    await this.env.QUEUES.getByName(queue).add(messages.map(({ body }) => JSON.stringify(body)))
  }
}

/** A bucket of objects: a folder on disk, as far as the archive uses buckets. */
export class Bucket extends WorkerEntrypoint<PlatformEnv> {
  async put(key: string, value: ArrayBuffer): Promise<void> {
    const { status } = await this.env.BUCKETS.fetch(this.#toUrl(key), { method: 'PUT', body: value })
    if (status >= 300) throw new Error(`the object ${key} cannot be written: status ${status}`)
  }

  /** null: no such object */
  async get(key: string): Promise<Response | null> {
    const response = await this.env.BUCKETS.fetch(this.#toUrl(key))
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status === 404) return null
    throw new Error(`the object ${key} cannot be read: status ${response.status}`)
  }

  #toUrl(key: string): string {
    const { bucket } = (this.ctx as unknown as Context<{ bucket: string }>).props
    return `http://buckets/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
  }
}

/** The gateway's pages. */
export class Assets extends WorkerEntrypoint<PlatformEnv> {
  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const file = await this.env.ASSETS.fetch(`http://assets${pathname}`)
    const type = findContentType(pathname)
    // a folder is listed as JSON
    if (file.status !== 200 || type === undefined) {
      await file.body?.cancel()
      return new Response(null, { status: file.status === 200 ? 404 : file.status })
    }
    const headers = new Headers({ 'Content-Type': type })
    const changed = Date.parse(file.headers.get('Last-Modified') ?? '')
    const size = file.headers.get('Content-Length')
    if (changed > 0) headers.set('ETag', `"${changed.toString(36)}-${Number(size).toString(36)}"`)
    return new Response(file.body, { headers })
  }
}

/**
 * Way out for a Worker that sends to addresses of strangers: addresses of this machine and its networks are reachable
 * only by the names in the operator's settings, whatever another name resolves to.
 */
export class Outbound extends WorkerEntrypoint<PlatformEnv> {
  override fetch(request: Request): Promise<Response> {
    const { hosts } = (this.ctx as unknown as Context<{ hosts: readonly string[] }>).props
    const isOwn = hosts.includes(new URL(request.url).host)
    return (isOwn ? this.env.ANYWHERE : this.env.PUBLIC).fetch(request)
  }
}

type Scheduled = { scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<{ outcome: string }> }

/** The command's socket: `/healthz`, `/minute` runs all crons and resumes all queues, `/drain` ends open streams. */
export default {
  async fetch(request: Request, env: PlatformEnv): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/drain') await env.EDGE?.drain()
    if (pathname === '/minute') {
      const queues = Object.keys(env.PLAN.queues).map((name) => env.QUEUES.getByName(name).resume())
      const crons = env.PLAN.crons.map((name) => runCron(name, env[name] as Scheduled))
      await Promise.allSettled([...queues, ...crons])
    }
    return Response.json({ status: 'ok' })
  },
}

const runCron = async (name: string, worker: Scheduled): Promise<void> => {
  const { outcome } = await worker.scheduled({ cron: '* * * * *', scheduledTime: new Date() })
  if (outcome !== 'ok') console.error(JSON.stringify({ message: 'cron failed', worker: name, outcome }))
}
