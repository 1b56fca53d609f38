import { type SettleRequest, settleRequestSchema } from '#shared/solvers/driverApi.ts'
import { createDriverApp, readBody } from './createDriverApp.ts'
import { DriverError } from './DriverError.ts'
import type { SettlementOutcome } from './settling/submission.ts'

export interface PostSettleDeps {
  /** settles a proposed solution, idempotently; null when it is unknown or deleted */
  settle: (request: SettleRequest) => Promise<SettlementOutcome | null>
}

/** `POST /settle`: sends a proposed solution and responds once it is mined. */
export const postSettle = ({ settle }: PostSettleDeps) => {
  const app = createDriverApp()
  app.post('/settle', async (c) => {
    const outcome = await settle(await readBody(c, settleRequestSchema))
    if (!outcome) throw new DriverError('SolutionNotAvailable', 'unknown or expired solution')
    if (!outcome.mined) throw new DriverError('FailedToSubmit', outcome.reason)
    return c.body(null, 200)
  })
  return app
}
