import { z } from 'zod'
import { connectWorkers } from './connectWorkers.ts'
import { createGateway, type Gateway } from './createGateway.ts'

const settingsSchema = z.object({ VERSION: z.string().min(1).catch('development') })

const buildGateway = (env: object): Gateway =>
  createGateway({ workers: connectWorkers(env), version: settingsSchema.parse(env).VERSION, log: console.log })

const gateways = new WeakMap<object, Gateway>()

export default {
  fetch(request: Request, env: object): Promise<Response> {
    const gateway = gateways.get(env) ?? buildGateway(env)
    gateways.set(env, gateway)
    return gateway(request)
  },
}
