import type { PermitHook } from '../../actions/permit.ts'

/** App data of an order from this page; a pre-hook approves the vault relayer by a signature. */
export const buildAppData = (permit: PermitHook | null): string => {
  const metadata = permit ? { hooks: { pre: [permit] } } : {}
  return JSON.stringify({ appCode: 'edgebook console', metadata, version: '1.3.0' })
}

/** App data of orders without hooks; sent as its hash. */
export const appDataDocument = buildAppData(null)
