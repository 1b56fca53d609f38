import { createApp } from '#shared/http/createApp.ts'

/** `POST /dispatch`: something may have happened to an order. For the auction clocks; the gateway has no path to it. */
export const postDispatch = (deps: { dispatch: () => Promise<{ notifications: number; queued: number }> }) => {
  const app = createApp()
  app.post('/dispatch', async (c) => c.json(await deps.dispatch()))
  return app
}
