import { join } from 'node:path'

/** Results that take long to build and never differ; a fresh `npm install` empties it. */
export const cacheFolder = join(import.meta.dirname, '../../node_modules/.cache/edgebook')
