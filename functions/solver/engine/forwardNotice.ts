import type { NotifyRequest, SolutionId } from '#shared/solvers/driverApi.ts'
import type { Engine } from './connectEngine.ts'

/**
 * Passes a notice of the order book on to an engine, which knows neither rejections, losses nor suspensions, as `driverError`.
 * @param findEngineId the engine's own id of a solution
 */
export const forwardNotice =
  (engine: Engine, findEngineId: (solutionId: number) => Promise<SolutionId | null>) =>
  async ({ auctionId, solutionId, kind, reason }: NotifyRequest): Promise<void> => {
    const engineId = solutionId === null ? null : await findEngineId(Number(solutionId))
    await engine.notify(auctionId, engineId, { kind: 'driverError', reason: `${kind}: ${reason}` })
  }
