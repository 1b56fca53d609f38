import type { PermitHook } from '../../actions/permit.ts'

/**
 * App data of an order from this page; a pre-hook approves the vault relayer by a signature.
 * @param replaces UID of an open order of the same owner, which ends when this one is placed; empty: none
 */
export const buildAppData = (permit: PermitHook | null, replaces = ''): string => {
  const metadata = {
    ...(permit ? { hooks: { pre: [permit] } } : {}),
    ...(replaces === '' ? {} : { replacedOrder: { uid: replaces } }),
  }
  return JSON.stringify({ appCode: 'edgebook console', metadata, version: '1.3.0' })
}

/** App data of orders without hooks; sent as its hash. */
export const appDataDocument = buildAppData(null)
