import { z } from 'zod'
import { connectSharedWorkers } from './connectSharedWorkers.ts'
import { connectWorkers } from './connectWorkers.ts'
import { createGateway, type Gateway } from './createGateway.ts'
import { connectRateLimits } from './rateLimits.ts'

const settingsSchema = z.object({ VERSION: z.string().min(1).catch('development') })

const buildGateway = (env: object): Gateway =>
  createGateway({
    workers: connectWorkers(env),
    sharedWorkers: connectSharedWorkers(env),
    version: settingsSchema.parse(env).VERSION,
    rateLimits: connectRateLimits(env),
    log: console.log,
  })

const gateways = new WeakMap<object, Gateway>()

export default {
  fetch(request: Request, env: object): Promise<Response> {
    const gateway = gateways.get(env) ?? buildGateway(env)
    gateways.set(env, gateway)
    return gateway(request)
  },
}
