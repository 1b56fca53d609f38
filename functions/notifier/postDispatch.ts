import { createApp } from '#shared/http/createApp.ts'

/** `POST /dispatch`: delivers new notifications. For the auction clocks; not routed by the gateway. */
export const postDispatch = (deps: { dispatch: () => Promise<{ notifications: number; queued: number }> }) => {
  const app = createApp()
  app.post('/dispatch', async (c) => c.json(await deps.dispatch()))
  return app
}
