import { createDriverApp } from './createDriverApp.ts'

/** `GET /`: the solver's name, as text. */
export const getName = (name: string) => {
  const app = createDriverApp()
  app.get('/', (c) => c.text(name))
  return app
}
