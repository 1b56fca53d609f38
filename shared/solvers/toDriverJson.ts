import type { SolutionId } from './driverApi.ts'

/**
 * Serialises a request about a solution, with the solution's id as its driver wrote it: text, or a number of any size.
 */
export const toDriverJson = <Body extends { solutionId: SolutionId | null }>({ solutionId, ...body }: Body): string => {
  const id = typeof solutionId === 'bigint' ? solutionId.toString() : JSON.stringify(solutionId)
  return `{"solutionId":${id},${JSON.stringify(body).slice(1)}`
}
