import type { OpenAPIHono } from '@hono/zod-openapi'

/** The OpenAPI 3.1 document of an app's routes, generated from the schemas that validate their requests. */
export const describeApp = (app: OpenAPIHono, info: { title: string; version: string } = untitled) =>
  app.getOpenAPI31Document({ openapi: '3.1.0', info })

const untitled = { title: '', version: '' }
