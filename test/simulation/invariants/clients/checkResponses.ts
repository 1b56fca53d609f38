import type { World } from '../../world.ts'
import { Violation } from '../violation.ts'

/**
 * In any weather no response is a server error, except that a part of the service is unavailable: such a response is not
 * stored, and names the time of another attempt.
 */
export const checkResponses = ({ responses }: Pick<World, 'responses'>): void => {
  for (const { path, status, retryAfter, cacheControl } of responses.splice(0)) {
    if (status < 500) continue
    if (status !== 503) throw new Violation('responses', `${path} is answered with ${status}`)
    if (!(Number(retryAfter) > 0)) throw new Violation('responses', `${path} is unavailable until ${retryAfter}`)
    if (cacheControl !== 'no-store') throw new Violation('responses', `${path}: ${cacheControl} of an unavailable part`)
  }
}
