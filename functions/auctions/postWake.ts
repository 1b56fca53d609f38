import { createApp } from '#shared/http/createApp.ts'

/** `POST /wake`: there is something new to auction. For the orders Worker; the gateway has no path to it. */
export const postWake = (deps: { wake: () => Promise<void> }) => {
  const app = createApp()
  app.post('/wake', async (c) => {
    await deps.wake()
    return c.json({ status: 'ok' })
  })
  return app
}
