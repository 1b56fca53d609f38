import createClient from 'openapi-fetch'
import type { paths } from './openapi.d.ts'

/** Client of the public API, typed by its OpenAPI document. The console sends every request except streams with it. */
export const client = createClient<paths, 'application/json'>()
