import { join } from 'node:path'

/** Results that take long to build and never differ. It may be removed at any time. */
export const cacheFolder = join(import.meta.dirname, '../../node_modules/.cache/edgebook')
