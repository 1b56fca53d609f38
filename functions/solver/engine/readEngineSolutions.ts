import type { SolutionId } from '#shared/solvers/driverApi.ts'
import { describeMismatch } from '#shared/solvers/requestSolver.ts'
import { DriverError, type DriverErrorKind } from '../DriverError.ts'
import { EngineFault, type EngineResponse, type EngineSolution, engineSolutionSchema } from './engineApi.ts'

/** Maximum solutions of one response that are considered. */
const maxSolutions = 50

/** Error codes of engines and the kinds of the driver API. */
const errorKinds: Record<string, DriverErrorKind> = {
  tradingOutsideAllowedWindow: 'TradingOutsideAllowedWindow',
  tokenTemporarilySuspended: 'TokenTemporarilySuspended',
  insufficientLiquidity: 'InsufficientLiquidity',
}

/**
 * The valid solutions of a response, each id once.
 * @param onFault receives each invalid one; its id is null when that is unreadable
 * @throws DriverError when the engine responded with an error
 */
export const readEngineSolutions = (
  response: EngineResponse,
  onFault: (id: SolutionId | null, fault: EngineFault) => void,
): EngineSolution[] => {
  if ('error' in response) {
    const { code, message } = response.error
    throw new DriverError(errorKinds[code] ?? 'CustomSolverError', message ?? code)
  }
  const ids = new Set<string>()
  return response.solutions.slice(0, maxSolutions).flatMap((raw) => {
    const { success, data, error } = engineSolutionSchema.safeParse(raw)
    if (!success) {
      onFault(readId(raw), new EngineFault({ kind: 'deserializationError', reason: describeMismatch(error) }))
      return []
    }
    if (ids.has(String(data.id))) {
      onFault(data.id, new EngineFault({ kind: 'duplicatedSolutionId' }))
      return []
    }
    ids.add(String(data.id))
    return [data]
  })
}

const readId = (raw: unknown): SolutionId | null => {
  const { data } = engineSolutionSchema.pick({ id: true }).safeParse(raw)
  return data?.id ?? null
}
