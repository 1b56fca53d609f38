import { createRequire } from 'node:module'

/** The workerd of wrangler: `npm start` runs it, and the platform's is similar. */
export const findWorkerd = (): string => {
  const wrangler = createRequire(import.meta.url).resolve('wrangler/package.json')
  return (createRequire(wrangler)('workerd') as { default: string }).default
}
