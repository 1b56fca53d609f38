/** Base class of the platform's Durable Objects, for the sources that import `cloudflare:workers`. */
export class DurableObject {
  readonly ctx: unknown
  readonly env: unknown

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx
    this.env = env
  }
}
