import { DurableObject } from 'cloudflare:workers'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { settingsSchema } from '../settings.ts'
import { createForwarder } from './createForwarder.ts'

/**
 * Forwards requests to one driver. An invocation may have six requests that wait for their response headers, and all calls
 * of a Durable Object share these six: each solver has objects of its own, so that slow drivers do not take the requests
 * of others, of the node or of the database.
 */
export class SolverConnection extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(SolverConnection)
  }

  #forward: ReturnType<typeof createForwarder> | undefined

  override async fetch(request: Request): Promise<Response> {
    this.#forward ??= createForwarder({
      solvers: settingsSchema.parse(this.env).solvers,
      now: Date.now,
      log: logEntry,
      background: (work) => this.ctx.waitUntil(work),
    })
    return this.#forward(request)
  }
}
