import { createApp } from '#shared/http/createApp.ts'

/** `POST /wake`: triggers an auction. Internal to the orders Worker: the gateway does not route it. */
export const postWake = (deps: { wake: () => Promise<void> }) => {
  const app = createApp()
  app.post('/wake', async (c) => {
    await deps.wake()
    return c.json({ status: 'ok' })
  })
  return app
}
