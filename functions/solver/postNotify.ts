import type { JsonObject } from '#shared/jsonObject.ts'
import { notifyRequestSchema } from '#shared/solvers/driverApi.ts'
import { createDriverApp, readBody } from './createDriverApp.ts'

export type PostNotifyDeps = { log: (entry: JsonObject) => void }

/** `POST /notify`: logs why a solution was rejected, or why this solver is suspended. */
export const postNotify = ({ log }: PostNotifyDeps) => {
  const app = createDriverApp()
  app.post('/notify', async (c) => {
    const { solutionId, ...notice } = await readBody(c, notifyRequestSchema)
    log({
      message: 'notified',
      ...notice,
      solutionId: typeof solutionId === 'bigint' ? String(solutionId) : solutionId,
    })
    return c.body(null, 200)
  })
  return app
}
