import { keepRunning } from '#shared/http/keepRunning.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type NotifyRequest, notifyRequestSchema } from '#shared/solvers/driverApi.ts'
import { createDriverApp, readBody } from './createDriverApp.ts'

export type PostNotifyDeps = {
  log: (entry: JsonObject) => void
  /** passes a notice on to the engine; absent without one */
  forward?: ((notice: NotifyRequest) => Promise<void>) | undefined
}

/** `POST /notify`: logs why a solution was rejected or lost, or why this solver is suspended. */
export const postNotify = ({ log, forward }: PostNotifyDeps) => {
  const app = createDriverApp()
  app.post('/notify', async (c) => {
    const body = await readBody(c, notifyRequestSchema)
    const { solutionId, ...notice } = body
    if (forward) keepRunning(c, forward(body))
    log({
      message: 'notified',
      ...notice,
      solutionId: typeof solutionId === 'bigint' ? String(solutionId) : solutionId,
    })
    return c.body(null, 200)
  })
  return app
}
