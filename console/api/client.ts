import createClient from 'openapi-fetch'
import type { paths } from './openapi.d.ts'

/** The public API, by the types of its own document. Nothing else of the console asks it for anything but streams. */
export const client = createClient<paths, 'application/json'>()
