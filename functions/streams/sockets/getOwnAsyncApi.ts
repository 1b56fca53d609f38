import { OpenAPIHono } from '@hono/zod-openapi'
import { buildAsyncApi } from './buildAsyncApi.ts'

/** `GET /asyncapi.json` of this Worker, which the gateway publishes with its version. */
export const getOwnAsyncApi = () => {
  const app = new OpenAPIHono()
  app.get('/asyncapi.json', (c) => c.json(buildAsyncApi()))
  return app
}
