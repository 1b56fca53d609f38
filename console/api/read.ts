import { toApiFailure } from './ApiFailure.ts'

/**
 * The data of a response.
 * @throws ApiFailure
 */
export const read = async <T>(
  result: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> => {
  const { data, error, response } = await result
  if (!response.ok || data === undefined || data === null) throw toApiFailure(error, response)
  return data
}
