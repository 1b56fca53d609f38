import { createHash } from 'node:crypto'

/** ETag of a response that is built for it: a hash of its JSON. */
export const computeBodyEtag = (body: unknown): string =>
  `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)}"`
