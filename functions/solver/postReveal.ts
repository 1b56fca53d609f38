import type { Hex } from 'viem'
import { type RevealResponseBody, revealRequestSchema } from '#shared/solvers/driverApi.ts'
import { createDriverApp, readBody } from './createDriverApp.ts'
import { DriverError } from './DriverError.ts'

export interface PostRevealDeps {
  /** calldata of a proposed solution; null when it is unknown or deleted */
  reveal: (auctionId: string, solutionId: number) => Promise<Hex | null>
}

/**
 * `POST /reveal`: the calldata of a proposed solution. This solver internalises nothing, so there is only one version.
 */
export const postReveal = ({ reveal }: PostRevealDeps) => {
  const app = createDriverApp()
  app.post('/reveal', async (c) => {
    const { auctionId, solutionId } = await readBody(c, revealRequestSchema)
    const calldata = await reveal(auctionId, solutionId)
    if (calldata === null) throw new DriverError('SolutionNotAvailable', 'unknown or expired solution')
    return c.json({ calldata: { internalized: calldata, uninternalized: calldata } } satisfies RevealResponseBody)
  })
  return app
}
