import { join } from 'node:path'

/** What takes long to make and is the same every time; `npm install` from scratch empties it. */
export const cacheFolder = join(import.meta.dirname, '../../node_modules/.cache/edgebook')
